"""The board as a person reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from xenon_env.constants import FIRST_CONTRACT, FIRST_PIPELINE

if TYPE_CHECKING:
    from core.game import State
    from xenon_env.game import Game

__all__ = ["draw_board"]

WIDTH = 100
QUESTIONS = {
    "start": "normal turn or overtime?",
    "distill": "DISTILL",
    "air": "AIR or WIPE",
    "market": "BUY or BID",
    "reflux": "Reflux: discard a card",
    "peek": "Relief Valve: draw or discard the card",
    "complete": "complete the contract with Packed Columns?",
    "place": "Refrigeration: place a token",
    "choose": "Engineer: fill the line",
    "privilege": "choose a side of the privilege token",
    "discard": "discard before drawing",
}


def draw_board(game: Game, state: State, observer: int | None = None) -> str:
    """Table, players and the pending decision as aligned plain text, at most 100 columns wide.

    For an observer, the unseen hand of another player lies in one pool with the System.
    """
    position = state.to_dict()
    lines = [_heading(game, state, position)]
    for word in ("contract", "upgrade"):
        lines += ["", *_line(game, position, word)]
    if position["supply"] is not None:
        lines += ["", f"supply: {_pile(position['supply'])}"]
    scores = state.scores()
    for seat, player in enumerate(position["players"]):
        if observer not in (None, seat):
            player = player | _pooled(game, position, player, seat)
        lines += ["", *_player(game, position, player, seat, scores[seat])]
    lines += ["", *_decision(state, position, observer)]
    return "\n".join(line.rstrip() for line in lines)


def _heading(game: Game, state: State, position: Mapping[str, Any]) -> str:
    text = f"{game.title}, decision {position['decisions']}"
    if position["trigger"] is not None:
        side = {"stars": "takes 3 stars", "turn": "takes a last turn", None: "is choosing"}[position["privilege"]]
        text += f"; the end is triggered by player {position['trigger']}, who {side}"
    return text


def _line(game: Game, position: Mapping[str, Any], word: str) -> Iterable[str]:
    deck = sum(position[f"{word}_deck"].values())
    discards = sum(position[f"{word}_discard"].values())
    yield f"{word.upper()} LINE  (deck {deck}, discards {discards})"
    for slot, entry in enumerate(position[f"{word}_line"], start=1):
        if entry is None:
            yield f"  {slot}  -"
            continue
        tokens = " ".join(f"P{seat}:{count}" for seat, count in enumerate(entry["tokens"]) if count)
        bids = f"bids {tokens}" if tokens else ""
        yield f"  {slot}  {_offer(game, entry['card']):<58} {bids}"


def _offer(game: Game, card: str) -> str:
    """A card for sale: what it costs and what it brings."""
    number = game.card_number(card)
    t = game.tables[0]
    price = f"${t['buy'][number]}"
    if number >= FIRST_PIPELINE:
        return f"{card:<22} {price:>3}  hand size +1"
    if number >= FIRST_CONTRACT:
        return f"{card:<22} {price:>3}  {_contract(game, card)}"
    install = f"install ${t['install'][number]}" if t["install"][number] >= 0 else "never installed"
    return f"{card:<22} {price:>3}  {install}"


def _contract(game: Game, card: str) -> str:
    number = game.card_number(card)
    t = game.tables[0]
    return f"{t['xe'][number]} Xe -> ${t['reward'][number]} and {t['stars'][number]} stars"


def _pooled(game: Game, position: Mapping[str, Any], player: Mapping[str, Any], seat: int) -> dict[str, Any]:
    """Hand and System as the others know them; the hand of the player to move lies open."""
    moves = seat == position["current_player"]
    seen = Counter(player["hand"] if moves else player["shown"])
    pool = Counter(player["system"]) + Counter(player["hand"]) - seen
    if moves and position["turn"]["peek"]:
        pool[position["turn"]["peek"]] += 1
    system = {card: pool[card] for card in sorted(pool, key=game.card_number)}
    return {"hand": dict(seen), "system": system, "unseen": sum(player["hand"].values()) - seen.total()}


def _player(game: Game, position: Mapping[str, Any], player: Mapping[str, Any], seat: int, score: int) -> Iterable[str]:
    mark = ">" if seat == position["current_player"] else " "
    console = "  OVERTIME" if player["overtime"] else ""
    yield (
        f"{mark} PLAYER {seat}   {score} stars   ${player['money']}   tokens {player['tokens']}"
        f"   stored Xe {player['stored_xe']}{console}"
    )
    unseen = f"   and {player['unseen']} unseen cards, listed with the System" if player.get("unseen") else ""
    rows = [
        ("hand", _pile(player["hand"]) + unseen),
        ("System", f"{_pile(player['system'])}   discards: {_pile(player['discard'])}"),
        ("installed", _list(player["installed"])),
        ("contract", f"{player['contract']} ({_contract(game, player['contract'])})" if player["contract"] else "none"),
        ("completed", _list(player["completed"]) + (f"   pipelines: {_list(player['pipelines'])}")),
    ]
    for name, text in rows:
        yield f"    {name:<10} {text}"


def _decision(state: State, position: Mapping[str, Any], observer: int | None) -> Iterable[str]:
    if position["terminal"]:
        end = "cut at max_decisions" if position["truncated"] else "over"
        winners = ", ".join(f"player {seat}" for seat in state.winners())
        yield f"The game is {end}. Won by {winners}; returns {[round(value, 3) for value in state.returns()]}"
        return
    turn = position["turn"]
    text = f"Player {position['current_player']}: {QUESTIONS[position['phase']]}"
    details = [f"{turn['distills_left']} distills left"] if position["phase"] in ("start", "distill") else []
    if position["phase"] == "market":
        details += [f"{turn['action'] or 'nothing yet'}", f"purchases {turn['purchases']}", f"bids {turn['bids']}"]
    if turn["peek"] and observer in (None, position["current_player"]):
        details.append(f"sees {turn['peek']}")
    if turn["drawn"]:
        details.append(f"drew {_pile(turn['drawn'])}")
    if turn["placements"]:
        details.append(f"{turn['placements']} tokens to place")
    yield text + (f"  ({', '.join(details)})" if details else "")
    if observer in (None, state.current_player()):
        yield from _wrap("legal: ", [state.action_to_string(action) for action in state.legal_actions()])


def _pile(cards: Mapping[str, int]) -> str:
    return " ".join(card if count == 1 else f"{count}x{card}" for card, count in cards.items()) or "-"


def _list(cards: Iterable[str]) -> str:
    return " ".join(cards) or "-"


def _wrap(first: str, words: list[str]) -> Iterable[str]:
    line = first
    for word in words:
        if len(line) + len(word) + 1 > WIDTH:
            yield line
            line = " " * len(first)
        line += word + " "
    yield line
