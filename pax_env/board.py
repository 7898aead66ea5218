"""The board as a person reads it: plain text, at most 110 columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pax_env.constants import (
    COLOR_NAMES,
    HUE_NAMES,
    ROWS,
    SPHERE_NAMES,
    Icon,
    Kind,
    Phase,
    Side,
    Skill,
    SpaceKind,
)

if TYPE_CHECKING:
    from core.game import State
    from pax_env.game import Game

__all__ = ["draw_board"]

WIDTH = 110
SHORT = ("FW", "DW", "CL", "SP")
LETTERS = {"blue": "B", "black": "K", "pink": "P", "red": "R"}
QUESTIONS = {
    Phase.HIDDEN: "choose the hidden sphere",
    Phase.TURN: "choose an action",
    Phase.DIVEST: "divest agents, then done",
    Phase.SOURCE: "where does the agent come from?",
    Phase.PAYMENT: "sell patents or pay",
    Phase.BLACK_HEAT: "cover the black square?",
    Phase.SURGE: "syndicate one card by surge?",
    Phase.IMPORT_TO: "to which gap?",
    Phase.VIABILITY: "what makes the card viable?",
    Phase.WORK: "who works?",
    Phase.RESEARCH_CLAIM: "what becomes of the researched card?",
    Phase.OR: "which of two impacts?",
    Phase.COMPANY: "where does the company go?",
    Phase.REPLACE: "which company makes room?",
    Phase.PROBLEM: "which problem is claimed?",
    Phase.RELIEF: "relieve a card?",
    Phase.RELIEF_SQUARE: "which cube is divested?",
    Phase.DISRUPTION: "which hue is disrupted?",
    Phase.SPLAY_KILL: "which splay card is discarded?",
    Phase.RECESSION: "what is lost to the recession?",
    Phase.EXCHANGE: "what is lost to the nuclear exchange?",
    Phase.DEFUSE: "which black square is covered?",
    Phase.ORIENTATION: "which hue is shown?",
}


def draw_board(game: Game, state: State, observer: int | None = None) -> str:
    """Market, splay, infrastructure, finance boards and the pending decision as aligned plain text.

    Hidden spheres are shown to the observer, by default the player to move, and when the game is over.
    """
    position = state.to_dict()
    lines = [
        f"{game.title}, decision {position['decisions']}   regime {position['regime']}",
        "",
        *_market(game, position),
        "",
        *_splay(game, position),
        "",
        *_infrastructure(game, position),
        "",
        *_parties(game, position, state.scores(), observer),
        "",
        *_decision(game, state, position, observer),
    ]
    return "\n".join(line.rstrip() for line in lines)


def _letters(colors: Iterable[str]) -> str:
    return "".join(LETTERS[color] for color in colors)


def _squares(entry: Mapping[str, Any], game: Game) -> str:
    """Heat squares with their cubes: white in round, black in square brackets, ``.`` for an open one."""
    card = game.parts.card_names.index(entry["card"])
    white, black = int(game.tables[0]["white"][card]), int(game.tables[0]["black"][card])
    text = f"({_letters(entry['white']).ljust(white, '.')})" if white else ""
    return text + (f"[{_letters(entry['black']).ljust(black, '.')}]" if black else "")


def _hues(game: Game, name: str) -> str:
    t, card = game.tables[0], game.parts.card_names.index(name)
    if t["kind"][card] == Kind.PLURALITY:
        return "-"
    return f"{HUE_NAMES[t['left'][card]]}/{HUE_NAMES[t['right'][card]]}"


def _impacts(game: Game, name: str) -> str:
    """Surge, ability and impacts of a card in short."""
    t, card = game.tables[0], game.parts.card_names.index(name)
    parts = []
    for number in range(int(t["impacts"][card])):
        icons = range(int(t["first_icon"][card][number]), int(t["first_icon"][card][number + 1]))
        parts.append(" or ".join(_icon(game, card, icon) for icon in icons))
    arrows = "".join(hue[0] for k, hue in enumerate(HUE_NAMES) if t["surge"][card] >> k & 1)
    text = ", ".join(parts)
    if arrows:
        text = f">>{arrows} {text}"
    if t["skill"][card]:
        text += f" {{{_skill(int(t['skill'][card]))}}}"
    return text


def _icon(game: Game, card: int, icon: int) -> str:
    t = game.tables[0]
    kind, of = Icon(t["icon"][card][icon]), int(t["icon_of"][card][icon])
    if kind == Icon.PROBLEM:
        return game.parts.problem_names[of]
    if kind == Icon.COMPANY:
        side = "thinker" if t["icon_side"][card][icon] == Side.THINKER else "maker"
        brash = int(t["icon_brash"][card][icon])
        return f"{side} {SHORT[of]}" + (f" ({game.parts.space_names[brash]}!)" if brash >= 0 else "")
    if kind == Icon.NUCLEAR_EXCHANGE:
        return f"exchange {SHORT[of]}"
    return kind.name.lower().replace("_", " ")


def _skill(mask: int) -> str:
    bit = mask.bit_length() - 1
    skill = max(s for s in Skill if s <= bit)
    words = skill.name.lower().replace("_", " ")
    if skill == Skill.PATENT_BONUS:
        return f"{words} {HUE_NAMES[bit - skill]}"
    return f"{words} {SHORT[bit - skill]}" if skill < Skill.HIRE_DISCOUNT else words


def _market(game: Game, position: Mapping[str, Any]) -> Iterable[str]:
    deck = position["deck"]
    left = f"deck {len(deck['top'])} + {len(deck['bottom'])}"
    yield f"MARKET  ({left}{' + plurality' if deck['plurality'] else ''}, discards {len(position['discard'])})"
    for sphere, column in position["market"].items():
        yield f"  {sphere}"
        for row in reversed(range(ROWS)):
            entry = column[row]
            if entry is None:
                yield f"    {row} -"
                continue
            name = entry["card"]
            cubes = f"{_letters(entry['syndications']):<4} {_squares(entry, game)}"
            text = f"    {row} {name:<24} {_hues(game, name):<13} {cubes:<14}"
            yield f"{text} {_impacts(game, name)}"[:WIDTH]


def _splay(game: Game, position: Mapping[str, Any]) -> Iterable[str]:
    yield "SPLAY  (oldest first)"
    if not position["splay"]:
        yield "  empty"
    for k, entry in enumerate(position["splay"]):
        hues, squares = _hues(game, entry["card"]), _squares(entry, game)
        yield f"  {k:>2} {entry['visible']:<7} {entry['card']:<28} {hues:<13} {squares}"


def _infrastructure(game: Game, position: Mapping[str, Any]) -> Iterable[str]:
    yield "INFRASTRUCTURE  (company: employees)"
    t = game.tables[0]
    for k, sphere in enumerate(SPHERE_NAMES):
        words = []
        for space, name in enumerate(game.parts.space_names):
            if t["space_sphere"][space] != k:
                continue
            held = position["infrastructure"].get(name, {"company": None, "employees": []})
            kind = t["space_kind"][space]
            label = "unemployed" if kind == SpaceKind.UNEMPLOYMENT else name
            company = LETTERS.get(held["company"], "-") + ":" if kind == SpaceKind.BARRIER else ""
            words.append(f"{label}={company}{_letters(held['employees']) or '-'}")
        yield from _wrap(f"  {sphere:<17} ", words)


def _parties(game: Game, position: Mapping[str, Any], scores: list[int], observer: int | None) -> Iterable[str]:
    insider = position["current_player"] if observer is None else observer
    for seat, player in enumerate(position["players"]):
        mark = ">" if seat == position["current_player"] else " "
        finance = (
            f"capital {player['capital']}  wealth {player['wealth']}  debt {player['debt']}  pool {player['pool']}"
        )
        patents = " ".join(f"{hue} {n}" for hue, n in player["patents"].items() if n) or "none"
        yield (
            f"{mark} {LETTERS[player['color']]} {player['color'].upper():<6} score {scores[seat]:<3} {finance:<44}"
            f" patents: {patents}"
        )
        yield from _wrap("      problems: ", _counted(player["problems"]))
        tank = [f"{card} ({_hues(game, card)})" for card in reversed(player["think_tank"])]
        yield from _wrap("      think tank: ", tank or ["-"])
        if seat == insider or position["terminal"]:
            yield f"      hidden: {player['hidden'] or '-'}, from {', '.join(player['dealt']) or '-'}"
    for exoglobal in position["exoglobals"]:
        problems = " ".join(_counted(exoglobal["problems"]))
        yield (
            f"  {LETTERS[exoglobal['color']]} {exoglobal['color'].upper():<6} exoglobal  pool {exoglobal['pool']}"
            f"{'  hidden ' + str(exoglobal['hidden']) if position['terminal'] else ''}  problems: {problems}"
        )
    deck = position["exo_deck"]
    if deck is not None:
        revealed = f"{deck['next']}: {_impacts(game, deck['next'])}" if deck["next"] else "-"
        yield f"    exoglobal deck {len(deck['rest'])}, used {len(deck['used'])}, next {revealed}"[:WIDTH]
    yield from _wrap("    unclaimed: ", _counted(position["problems"]))


def _counted(problems: Mapping[str, int]) -> list[str]:
    return [name if n == 1 else f"{n}x{name}" for name, n in problems.items()] or ["-"]


def _decision(game: Game, state: State, position: Mapping[str, Any], observer: int | None) -> Iterable[str]:
    result = position["result"]
    if result is not None:
        scores = ", ".join(f"{color} {score}" for color, score in result["scores"].items())
        yield f"The game is over: {result['end']}. Scores: {scores}. Won by {', '.join(result['winners'])}."
        return
    color = COLOR_NAMES[state.states["color_of"][0][state.current_player()]]
    turn = position["players"][position["turn"]]["color"]
    yield (
        f"{color}: {QUESTIONS[Phase(state.states['phase'][0])]}"
        f"  (turn of {turn}, {position['actions_left']} actions left)"
    )
    if position["pending"] is not None:
        yield from _wrap("pending: ", [f"{key} {value}," for key, value in position["pending"].items()])
    if observer in (None, state.current_player()):
        yield from _wrap("legal: ", [state.action_to_string(action) for action in state.legal_actions()])


def _wrap(first: str, words: list[str]) -> Iterable[str]:
    line = first
    for word in words:
        if len(line) + len(word) > WIDTH and line.strip() != first.strip():
            yield line
            line = " " * len(first)
        line += word + " "
    yield line
