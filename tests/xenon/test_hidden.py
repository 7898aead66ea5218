"""What a seat sees and does not see, and how the hidden parts are dealt anew."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from copy import deepcopy
from math import comb, prod
from typing import Any

import numpy as np
import pytest

from core.game import State
from tests.xenon.cards import (
    CONTRACT_DECK,
    CONTRACTS,
    ELEMENTS,
    FINITE,
    INSTALLABLE,
    MARKET_UPGRADES,
    PIPELINES,
    UPGRADES,
)
from tests.xenon.table import at, cards_of, game, line, play, slot
from xenon_env import Game

Dict = dict[str, Any]
CHI_SQUARE = {1: 10.83, 2: 13.82, 3: 16.27, 4: 18.47, 5: 20.52}
"""What chi-square exceeds once in a thousand times, by degrees of freedom; the seeds are fixed."""


def view(position: Mapping[str, Any], observer: int) -> str:
    """What the rules say that a seat sees of a dict."""
    seen = deepcopy(dict(position))
    for seat, player in enumerate(seen["players"]):
        if seat == observer:
            continue
        pool = cards_of(player["system"], player["hand"]) - Counter(player["shown"])
        if seen["phase"] == "peek" and seen["current_player"] == seat:
            pool[seen["turn"]["peek"]] += 1
            seen["turn"]["peek"] = "one of the pool"
        player["hand"] = sum(player["hand"].values())
        player["system"] = dict(sorted(pool.items()))
    return json.dumps(seen, sort_keys=True)


def looks(state: State, observer: int) -> bytes:
    return state.observation(observer).tobytes()


# What is shown


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_an_observation_shows_exactly_what_may_be_seen(seats: int) -> None:
    """Over a random game and re-dealt positions: same view, same observation, and the other way round."""
    one = Game(seats, element_supply=FINITE if seats % 2 else None, skip_forced=False)
    rng = np.random.default_rng(seats)
    state = one.new_initial_state(seats)
    seen: dict[tuple[int, str], bytes] = {}
    views: dict[tuple[int, bytes], str] = {}
    number = 0
    while not state.is_terminal() and number < 700:
        others = [state.determinize(int(rng.integers(seats)), number)] if number % 3 == 0 else []
        for position in (state, *others):
            found = position.to_dict()
            for observer in range(seats):
                what, how = view(found, observer), looks(position, observer)
                assert seen.setdefault((observer, what), how) == how, "a hidden part shows"
                assert views.setdefault((observer, how), what) == what, "a public part does not show"
        state.apply_action(int(rng.choice(state.legal_actions())))
        number += 1
    assert len(seen) > 500 * seats


BASE: Dict = {
    "num_players": 3,
    "options": {"element_supply": FINITE, "max_decisions": 5000},
    "current_player": 1,
    "phase": "market",
    "decisions": 40,
    "trigger": 0,
    "privilege": "stars",
    "contract_line": [slot("M1", 1, 0, 1), None, slot("pipe_N", 0, 1, 0)],
    "upgrade_line": [slot("refrigeration", 0, 1, 1), slot("silica_gel")],
    "turn": {"used": [], "played": {}, "action": None},
    "players": [
        {"system": {"N": 1, "O": 1}, "hand": {"N": 1, "Kr": 1}, "shown": {"N": 1}},
        {"system": {"Xe": 1}, "hand": {"O": 1}, "installed": ["reflux", "relief_valve", "expansion_turbine"]},
        {"system": {"N": 1, "feed": 1}, "hand": {"O": 2, "Xe": 1}, "shown": {"O": 1}},
    ],
}


def with_value(position: Dict, path: str, value: Any) -> Dict:
    """A copy with one value put in."""
    changed = deepcopy(position)
    part: Any = changed
    *way, last = path.split(".")
    for key in way:
        part = part[int(key)] if key.isdigit() else part.setdefault(key, {})
    part[int(last) if last.isdigit() else last] = value
    changed["players"][changed["current_player"]].pop("shown", None)
    return changed


def changes() -> Iterator[tuple[str, Any]]:
    """One change each of everything public in BASE."""
    yield "options.element_supply", None
    for element in ELEMENTS:
        yield "options.element_supply", FINITE | {element: 40}
    yield "options.max_decisions", 5001
    yield "current_player", 0
    yield "current_player", 2
    yield "decisions", 41
    yield "trigger", 1
    yield "trigger", 2
    yield "privilege", "turn"
    yield "contract_line", [slot("M1", 1, 0, 1), slot("pipe_N", 0, 1, 0)]
    yield "contract_line", [None, slot("M1", 1, 0, 1), slot("pipe_N", 0, 1, 0)]
    for card in (*CONTRACTS, *PIPELINES):
        yield "contract_line.1", slot(card) if card not in ("M1", "pipe_N") else None
    for card in MARKET_UPGRADES:
        yield "upgrade_line", [*BASE["upgrade_line"], slot(card)]
    for word, index in (("contract_line", 0), ("contract_line", 2), ("upgrade_line", 0), ("upgrade_line", 1)):
        for seat in range(3):
            tokens = list(BASE[word][index].get("tokens", [0, 0, 0]))
            tokens[seat] += 1
            yield f"{word}.{index}", slot(BASE[word][index]["card"], *tokens)
    for pile in ("contract_deck", "contract_discard"):
        for card in CONTRACT_DECK:
            if card != "M1":
                yield pile, {card: 1}
    for pile in ("upgrade_deck", "upgrade_discard"):
        for card in MARKET_UPGRADES:
            yield pile, {card: 1}
    for card in ("reflux", "relief_valve", "expansion_turbine"):
        yield "turn.used", [card]
    for card in ("relief_valve", "mass_flow"):
        yield "turn.played", {card: 1}
        yield "turn.played", {card: 2}
    for key in ("distills_left", "reboilers", "refrigerations", "purchases", "bids"):
        yield f"turn.{key}", 1
        yield f"turn.{key}", 2
    for key in ("bid_none", "sales_executive", "agent", "buyer"):
        yield f"turn.{key}", True
    yield "turn.action", "buy"
    yield "turn.action", "bid"
    for seat in range(3):
        player = f"players.{seat}"
        yield f"{player}.money", 4
        yield f"{player}.stored_xe", 1
        yield f"{player}.overtime", True
        for contract in CONTRACTS:
            if contract != "M1":
                yield f"{player}.contract", contract
                yield f"{player}.completed", [contract]
        for pipeline in PIPELINES:
            yield f"{player}.pipelines", [pipeline]
        for upgrade in INSTALLABLE:
            own = BASE["players"][seat].get("installed", [])
            if upgrade not in own and not (upgrade == "feed" and seat == 2):
                yield f"{player}.installed", [*own, upgrade]
        for card in (*ELEMENTS, *UPGRADES):
            if card not in (*BASE["players"][seat].get("installed", ()), *(("feed",) if seat == 2 else ())):
                yield f"{player}.discard", {card: 1}
                yield f"{player}.system", cards_of(BASE["players"][seat]["system"], card)
    for seat in (0, 2):
        hand = BASE["players"][seat]["hand"]
        yield f"players.{seat}.shown", {}
        yield f"players.{seat}.shown", hand
        yield f"players.{seat}.hand", hand | {"Kr": 3}
        yield f"players.{seat}.hand", hand | {"agent": 1}
    for card in (*ELEMENTS, *UPGRADES):
        if card not in BASE["players"][1]["installed"]:
            yield "players.1.hand", cards_of(BASE["players"][1]["hand"], card)


def test_every_public_value_shows() -> None:
    """All variants of a position differ in public, so all of them look different to every seat."""
    variants = [BASE] + [with_value(BASE, path, value) for path, value in changes()]
    one = Game(3, skip_forced=False)
    states: dict[str, State] = {}
    for variant in variants:
        state = one.state_from_dict(variant)
        states.setdefault(json.dumps(state.to_dict(), sort_keys=True), state)
    assert len(states) > 430
    for observer in range(3):
        views = {view(state.to_dict(), observer) for state in states.values()}
        observations = {looks(state, observer) for state in states.values()}
        assert len(observations) == len(views) == len(states)
    assert len({state.observation(0).shape for state in states.values()}) == 1


def test_every_phase_shows() -> None:
    """Positions that differ in the phase, in the step, or in a value that only one phase has."""
    me = {"hand": {"packed_columns": 1, "N": 1}, "contract": "G5", "stored_xe": 3, "system": {"Kr": 1, "O": 1}}
    lines = {"contract_line": line("M1"), "upgrade_line": line("agent")}
    positions: list[State] = [at(phase, me, **lines) for phase in ("start", "distill", "air", "market", "reflux")]
    positions += [at(phase, me, **lines) for phase in ("discard", "over")]
    positions += [at("over", me, truncated=True, turn={"step": step}, **lines) for step in ("air", "end", "market")]
    positions += [at("complete", me, turn={"step": step}, **lines) for step in ("start", "distill", "market")]
    positions += [at("complete", me, turn={"placements": placements}, **lines) for placements in (1, 2)]
    positions += [at("place", me, turn={"placements": placements}, **lines) for placements in (1, 2)]
    for card in ("M2", "M3", "pipe_O"):
        positions.append(at("choose", me, turn={"wiped": "contract", "drawn": {card: 1}}, **lines))
    for card in ("buyer", "lobbyist", "reclaiming"):
        positions.append(at("choose", me, turn={"wiped": "upgrade", "drawn": {card: 1}}, **lines))
    positions.append(at("choose", me, turn={"wiped": "upgrade", "drawn": {"silica_gel": 2}}, **lines))
    positions.append(at("choose", me, turn={"wiped": "upgrade", "drawn": {"silica_gel": 1}}, **lines))
    positions.append(at("privilege", me, trigger=0, **lines))
    for observer in (0, 1):
        assert len({looks(state, observer) for state in positions}) == len(positions)
    peeks = [at("peek", {"hand": {"N": 1}}, turn={"peek": card}) for card in (*ELEMENTS, *UPGRADES)]
    for observer in (0, 1):
        assert len({looks(state, observer) for state in peeks}) == len(peeks), "with an empty System the pool tells it"


@pytest.mark.parametrize("seats", [2, 5])
def test_the_length_is_the_same_for_every_number_of_players(seats: int) -> None:
    assert (
        game(seats).new_initial_state(0).observation(seats - 1).shape
        == game(3).new_initial_state(0).observation(0).shape
    )


# What is hidden


@pytest.mark.parametrize(("owner", "observers"), [(0, (1, 2)), (2, (0, 1))])
def test_the_split_of_an_opponents_pool_is_hidden(owner: int, observers: tuple[int, ...]) -> None:
    def dealt(hand: Dict, system: Dict) -> State:
        players: list[Dict] = [{"hand": {"N": 1}}] * 3
        players[owner] = {"hand": hand | {"feed": 1}, "system": system, "shown": {"feed": 1}}
        return at("distill", *players, seats=3, current_player=1)

    one = dealt({"N": 1, "agent": 1}, {"Xe": 1, "Kr": 1})
    two = dealt({"Xe": 1, "Kr": 1}, {"N": 1, "agent": 1})
    for observer in observers:
        assert looks(one, observer) == looks(two, observer)
    assert looks(one, owner) != looks(two, owner)
    larger = dealt({"N": 1, "agent": 1, "Xe": 1}, {"Kr": 1})
    assert all(looks(one, observer) != looks(larger, observer) for observer in range(3)), "sizes are public"


def test_the_own_system_is_a_multiset_known_to_its_owner() -> None:
    one = at("distill", {"hand": {"N": 1}, "system": {"O": 1, "Kr": 1}}, {})
    two = at("distill", {"hand": {"O": 1}, "system": {"N": 1, "Kr": 1}}, {})
    assert looks(one, 0) != looks(two, 0) and looks(one, 1) != looks(two, 1), "the mover's hand lies open"


def test_a_card_looked_at_is_hidden_from_the_others_alone() -> None:
    def looking(peek: str, system: Dict, mover: int = 0) -> State:
        players: list[Dict] = [{"hand": {"N": 1}}] * 2
        players[mover] = {"hand": {"N": 1}, "system": system}
        return at("peek", *players, turn={"peek": peek}, current_player=mover)

    for mover in (0, 1):
        one, two = looking("Kr", {"Xe": 1, "O": 1}, mover), looking("Xe", {"Kr": 1, "O": 1}, mover)
        assert looks(one, 1 - mover) == looks(two, 1 - mover)
        assert looks(one, mover) != looks(two, mover)
        other_pool = looking("Kr", {"Xe": 2}, mover)
        assert looks(one, 1 - mover) != looks(other_pool, 1 - mover)


def test_cards_kept_at_the_end_of_a_turn_stay_known_and_drawn_ones_are_hidden() -> None:
    state = at("discard", {"hand": {"agent": 1, "N": 2}, "system": {"O": 1, "Kr": 9}}, {})
    play(state, "discard:n", "end:discard")
    me = state.to_dict()["players"][0]
    assert me["shown"] == {"agent": 1, "N": 1} and sum(me["hand"].values()) == 5
    names = state.game.observation_labels
    seen = {name: value for name, value in zip(names, state.observation(1), strict=True) if "hand" in name and value}
    assert set(seen) == {"next1.hand_size", "next1_hand.n", "next1_hand.agent"}
    play(state, "overtime:no", "end:distill", "air", "bid:none", "end:market", "end:discard")
    assert state.current_player() == 0
    me = state.to_dict()["players"][0]
    assert me["shown"] == me["hand"], "open again in the own turn"


# Dealing anew


def outcomes(state: State, observer: int, count: int, seat: int, what: str = "hand") -> Counter[str]:
    """How often each hand (or card looked at) of a seat comes up."""
    results: Counter[str] = Counter()
    for seed in range(count):
        found = state.determinize(observer, seed).to_dict()
        part = found["turn"]["peek"] if what == "peek" else found["players"][seat][what]
        results[json.dumps(part, sort_keys=True)] += 1
    return results


def chi_square(observed: Counter[str], chances: Mapping[str, float]) -> float:
    total = sum(observed.values())
    assert set(observed) <= set(chances)
    return sum((observed[key] - total * chance) ** 2 / (total * chance) for key, chance in chances.items())


def hands(pool: Dict, size: int) -> dict[str, float]:
    """The hypergeometric chance of each hand from a pool."""
    found: dict[str, float] = {}

    def extend(kinds: list[str], hand: Dict, left: int) -> None:
        if not kinds:
            if left == 0:
                ways = prod(comb(pool[card], count) for card, count in hand.items())
                found[json.dumps(hand, sort_keys=True)] = ways / comb(sum(pool.values()), size)
            return
        for count in range(min(pool[kinds[0]], left) + 1):
            extend(kinds[1:], hand | ({kinds[0]: count} if count else {}), left - count)

    extend(list(pool), {}, size)
    assert sum(found.values()) == pytest.approx(1)
    return found


@pytest.mark.parametrize(
    ("hand", "system"),
    [({"N": 2}, {"O": 1, "Kr": 2}), ({"Kr": 2}, {"N": 2, "O": 1}), ({"N": 1, "O": 1}, {"N": 1, "Kr": 2})],
)
def test_hands_are_dealt_with_their_hypergeometric_chances(hand: Dict, system: Dict) -> None:
    """Whatever the true split is, every other one comes up, as often as a fair deal gives it."""
    state = at("distill", {"hand": {"N": 1}}, {"hand": hand, "system": system})
    chances = hands({"N": 2, "O": 1, "Kr": 2}, 2)
    assert len(chances) == 5 and chances['{"Kr": 1, "N": 1}'] == pytest.approx(0.4)
    observed = outcomes(state, 0, 2500, 1)
    assert set(observed) == set(chances)
    assert chi_square(observed, chances) < CHI_SQUARE[len(chances) - 1]


def test_cards_shown_stay_in_hand_and_the_rest_is_dealt() -> None:
    hand = {"agent": 1, "N": 1, "O": 1}
    state = at(
        "distill", {"hand": {"N": 1}}, {"hand": hand, "system": {"Kr": 1, "N": 1}, "shown": {"agent": 1, "N": 1}}
    )
    before = state.to_bytes()
    observed = outcomes(state, 0, 900, 1)
    chances = {
        json.dumps(dict(sorted(cards_of({"agent": 1, "N": 1}, card).items()))): 1 / 3 for card in ("O", "Kr", "N")
    }
    assert chi_square(observed, chances) < CHI_SQUARE[2]
    for seed in range(50):
        other = state.determinize(0, seed)
        found, original = other.to_dict(), state.to_dict()
        dealt, true = found["players"].pop(1), original["players"].pop(1)
        assert cards_of(dealt.pop("hand"), dealt.pop("system")) == cards_of(true.pop("hand"), true.pop("system"))
        assert (found, dealt) == (original, true), "all else stays"
        assert looks(other, 0) == looks(state, 0) and other.legal_actions() == state.legal_actions()
        assert other.to_bytes() == state.determinize(0, seed).to_bytes() != before
        assert (other.states["rng"] != state.states["rng"]).all()
    assert state.to_bytes() == before


def test_opponents_are_dealt_independently_and_the_own_cards_stay() -> None:
    pool = {"hand": {"N": 1}, "system": {"O": 1}}
    state = at("distill", pool, pool, {"hand": {"Kr": 1}}, seats=3, current_player=2)
    pairs: Counter[str] = Counter()
    for seed in range(1200):
        players = state.determinize(2, seed).to_dict()["players"]
        pairs["".join([*players[0]["hand"], *players[1]["hand"]])] += 1
    assert chi_square(pairs, dict.fromkeys(("NN", "NO", "ON", "OO"), 0.25)) < CHI_SQUARE[3]
    assert len(outcomes(state, 0, 60, 0)) == 1 and len(outcomes(state, 0, 60, 1)) == 2
    assert len(outcomes(state, 2, 60, 2)) == 1


def test_a_card_looked_at_is_dealt_anew_for_the_others_and_stays_for_its_owner() -> None:
    me = {"hand": {"agent": 1}, "system": {"N": 2, "O": 1}}
    state = at("peek", me, {"hand": {"N": 1}, "system": {"O": 1}}, turn={"peek": "Xe"})
    chances = {'"N"': 0.5, '"O"': 0.25, '"Xe"': 0.25}
    observed = outcomes(state, 1, 1200, 0, "peek")
    assert chi_square(observed, chances) < CHI_SQUARE[2]
    for seed in range(40):
        found = state.determinize(1, seed).to_dict()
        mine = found["players"][0]
        assert mine["hand"] == {"agent": 1}, "the mover's hand lies open"
        assert cards_of(mine["system"], found["turn"]["peek"]) == {"N": 2, "O": 1, "Xe": 1}
        own = state.determinize(0, seed).to_dict()
        assert own["turn"]["peek"] == "Xe" and own["players"][0] == state.to_dict()["players"][0]
    assert len(outcomes(state, 0, 40, 1)) == 2


@pytest.mark.parametrize("seats", [2, 5])
def test_re_dealt_positions_play_on(seats: int) -> None:
    one = game(seats)
    rng = np.random.default_rng(7)
    state = one.new_initial_state(7)
    for number in range(300):
        if number % 10 == 0:
            for observer in range(seats):
                other = state.determinize(observer, number)
                assert view(other.to_dict(), observer) == view(state.to_dict(), observer)
                for _ in range(20):
                    if not other.is_terminal():
                        other.apply_action(int(rng.choice(other.legal_actions())))
                one.check_invariants(other)
        if not state.is_terminal():
            state.apply_action(int(rng.choice(state.legal_actions())))
