"""Random play: invariants, round trips, reproducibility, what a seat sees."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tesla_env
from tesla_env import Game
from tesla_env.components import DATA, PROVENANCES
from tesla_env.constants import INVENTORS, LUMINARIES, NOBODY, Phase
from tests.tesla.helpers import game, play, start
from tests.tesla.walker import WALKER
from tests.tesla.walker import games as walked_games
from tests.walker import ALL_WELL

ROOT = Path(__file__).parents[2]

OPTION_SETS = [
    {},
    {"companies": ("thomson", "maxim", "brush", "tesla", "edison")},
    {"skip_forced": True},
    {"max_decisions": 60},
]


def option_game(n, options):
    chosen = dict(options)
    if "companies" in chosen:
        chosen["companies"] = chosen["companies"][:n]
    return game(n, **chosen)


def random_states(one, seed, rng_seed=0):
    """Every state of a random game, the same object each time."""
    state, rng = one.new_initial_state(seed), random.Random(rng_seed)
    yield state
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        yield state


@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_invariants_and_round_trips(n, options):
    one = option_game(n, options)
    for seed in range(1 if options else 2):
        for state in random_states(one, seed, seed):
            one.check_invariants(state)
            same = one.state_from_dict(state.to_dict())
            assert same == state
            assert hash(same) == hash(state)
            assert same.legal_actions() == state.legal_actions()
            assert one.state_from_bytes(state.to_bytes()) == state
            copy = state.clone()
            assert copy == state
            assert copy.digest() == state.digest()


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_money_and_the_course_of_a_game(n):
    """Fees move between players, prices fall by sales alone, 18 uses a seat (spec section 9)."""
    one = game(n)
    for seed in range(3):
        state, rng, uses = one.new_initial_state(seed), random.Random(seed), 0
        while not state.is_terminal():
            action = state.action_to_string(rng.choice(state.legal_actions()))
            before = state.states[0].copy()
            uses += action.startswith("use:")
            state.apply_action(action)
            after = state.states[0]
            kind = action.split(":")[0]
            if kind not in ("sell", "draft"):
                assert (after["price"] >= before["price"]).all()
            assert (after["tech"] >= before["tech"]).all()
            assert ((after["patent"] == before["patent"]) | (before["patent"] == -1)).all()
            assert ((after["owner"] == before["owner"]) | (before["owner"] == -1)).all()
            if after["turn"] == before["turn"] and kind not in ("draft",) and not state.is_terminal():
                assert (after["present"] == before["present"]).all()
            elif kind != "draft":
                assert (after["present"] == after["future"]).all()
        assert uses == 18 * n
        assert not state.is_truncated()


def test_length_of_random_games():
    for n, expected in ((2, 107), (3, 170), (4, 240), (5, 313)):
        run = Game(n, skip_forced=False).vector(64, seed=1, observe=False).play_random(20_000)
        assert abs(run.decisions / run.games - expected) < 0.05 * expected
        assert run.truncated_games == 0


def test_forced_decisions_are_skipped():
    skipping, asking = Game(2), game(2)
    for state in random_states(skipping, 4):
        assert state.is_terminal() or len(state.legal_actions()) > 1
    asked = sum(len(state.legal_actions()) == 1 for state in random_states(asking, 4))
    assert asked > 0


@pytest.mark.parametrize("n", [2, 5])
def test_batch_plays_as_single_games_do(n):
    one = game(n)
    batch = one.vector(4, seed=11, autoreset="disabled")
    singles = [one.new_initial_state(11 + k) for k in range(4)]
    rng = random.Random(2)
    while not all(state.is_terminal() for state in singles):
        chosen = [0 if state.is_terminal() else rng.choice(state.legal_actions()) for state in singles]
        for state, action in zip(singles, chosen, strict=True):
            if not state.is_terminal():
                state.apply_action(action)
        step = batch.step(np.array(chosen))
        for k, state in enumerate(singles):
            assert batch.state(k) == state
            assert step.current_player[k] == state.current_player()
            assert (step.action_mask[k] == state.legal_actions_mask()).all()
            if not state.is_terminal():
                assert (step.observations[k] == state.observation(state.current_player())).all()


def test_the_same_seed_gives_the_same_game():
    digests = [[state.digest() for state in random_states(game(3), seed)] for seed in (5, 5, 6)]
    assert digests[0] == digests[1]
    assert digests[0] != digests[2]


def test_truncation():
    one = game(3, max_decisions=60)
    *_, state = random_states(one, 1)
    assert state.is_truncated()
    assert state.decisions == 60
    position = state.to_dict()
    assert position["phase"] != "over"
    assert (position["current_player"], position["terminal"], position["truncated"]) == (-4, True, True)
    assert sum(state.returns()) == pytest.approx(0)
    assert max(state.scores()) > 0


def test_option_companies_skips_the_draft():
    one = Game(3, companies=["tesla", "edison", "brush"])
    state = one.new_initial_state(0)
    position = state.to_dict()
    assert position["phase"] == "auction"
    assert position["present"] == {"tesla": 6, "edison": 5, "brush": 4}
    drafted = play(game(3).new_initial_state(0), "draft:tesla", "draft:edison", "draft:brush").to_dict()
    for key in ("players", "prices", "market", "set_aside", "present", "luminary_pool"):
        assert drafted[key] == position[key]


def test_scores_before_the_draft_are_zero():
    assert game(4).new_initial_state(0).scores() == [0, 0, 0, 0]


# In compiled code


def put(field, *place, value):
    """Set one value of a record."""
    return lambda s, before: write(s, field, place, value)


def had(field, *place, value):
    """Set one value of the record before."""
    return lambda s, before: write(before, field, place, value)


def write(s, field, place, value):
    if place:
        s[field][place] = value
    else:
        s[field] = value


def unused(s):
    """The mask of a luminary for hire that is nowhere."""
    used = int(s["offer"] | s["luminary_pool"])
    for zone in ("ready", "selected", "exhausted"):
        used |= int(np.bitwise_or.reduce(s[zone]))
    return next(1 << k for k in range(INVENTORS, LUMINARIES) if not used >> k & 1)


def hold_five(s, before):
    s["shares"][:, 1] = 0
    s["certificate"][s["certificate"] == 1] = NOBODY
    s["shares"][0, 1], s["market"][1], s["aside"][1] = 5, 1, 0


def share_a_luminary(s, before):
    s["exhausted"][1] |= s["ready"][0] | s["exhausted"][0]


def hire_one_more(s, before):
    s["exhausted"][0] |= unused(s)


def take_a_certificate_away(s, before):
    k = np.flatnonzero(s["certificate"] != NOBODY)[0]
    s["market"][s["certificate"][k]] += 1
    s["certificate"][k] = NOBODY


def offer_one_more(s, before):
    s["offer"] |= unused(s)


def lay_cards_twice(s, before):
    s["cards"] |= s["propaganda_pool"]


def keep_an_old_pool(s, before):
    s["luminary_pool"] = unused(s)


def share_a_spot(s, before):
    s["future"][0] = s["future"][1]


BREAKS = [
    ("six regular certificates", put("market", 0, value=7)),
    ("six regular certificates", put("shares", 1, 4, value=1)),
    ("at most four", hold_five),
    ("cash is never negative", put("cash", 1, value=-1)),
    ("stay on the stock track", put("price", 0, value=11)),
    ("luminary is in one place", share_a_luminary),
    ("card is in one place", lay_cards_twice),
    ("pool holds its deck", keep_an_old_pool),
    ("pool holds its deck", put("propaganda_pool", value=0)),
    ("one a spot", share_a_spot),
    ("one a spot", put("current", value=4)),
    ("one a spot", put("tech", 0, 2, value=5)),
    ("within its holder's level", put("patent", 0, 5, value=1)),
    ("owners of projects", put("owner", 40, value=1)),
    ("owners of projects", put("claims", 1, value=9)),
    ("owners of projects", put("between", 1, 3, value=9)),
    ("only the mover has selected", put("phase", value=Phase.ACT)),
    ("g + 1 luminaries", hire_one_more),
    ("on all luminaries on offer", take_a_certificate_away),
    ("on all luminaries on offer", offer_one_more),
    ("belong to that phase", put("bid", value=2)),
    ("belong to that phase", put("card", value=0)),
    ("belong to that phase", put("traded", 1, value=1)),
    ("belong to that phase", put("acquired", 0, value=1)),
    ("never lost", had("tech", 0, 0, value=5)),
    ("never lost", had("patent", 1, 5, value=0)),
    ("never lost", had("owner", 40, value=1)),
    ("changes in bookkeeping only", had("present", slice(0, 2), value=(1, 2))),
    ("falls only by a sale", had("price", 0, value=77)),
]


@pytest.mark.parametrize(("rule", "change"), BREAKS)
def test_the_compiled_check_sees_what_is_broken(rule, change):
    one = game(2)
    state = next(state for state in random_states(one, 3) if state.phase == "use" and state.to_dict()["turn"] == 3)
    states, before = state.states.copy(), state.states.copy()
    assert WALKER.rule_broken(one, states, before) == ALL_WELL
    change(states[0], before[0])
    assert rule in WALKER.rule_broken(one, states, before)


def test_a_walk_ends_where_a_rule_is_broken(tmp_path):
    """With a rule that its components break, the walk names it and how far it came."""
    data = json.loads(DATA.read_text(encoding="utf-8"))
    data["setup"]["start_cash"] = 10
    path = tmp_path / "poor.json"
    path.write_text(json.dumps(data))
    poor = Game(2, components=path)
    assert WALKER.walk(poor, 2000).rule == ALL_WELL
    poor.blank["cash"][0, 0] = -5
    done = WALKER.walk(poor, 2000)
    assert "cash is never negative" in done.rule and done.decisions == 1


@pytest.mark.long
def test_a_million_random_decisions_keep_the_invariants():
    decisions = finished = 0
    for one in walked_games():
        done = WALKER.walk(one, 100_000, seed=one.num_players)
        assert done.rule == ALL_WELL, f"{one!r}, decision {done.decisions}"
        assert done.truncated == 0
        decisions += done.decisions
        finished += done.games
    assert decisions == 1_200_000
    assert finished > 5000


@pytest.mark.long
def test_200_000_decisions_with_bounds_checks():
    environment = os.environ | {"PYTHONPATH": str(ROOT), "NUMBA_BOUNDSCHECK": "1"}
    command = [sys.executable, "-W", "error", "-m", "tests.tesla.walker", "240000"]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(text) for text in done.stdout.splitlines()]
    assert sum(one["decisions"] for one in lines) == 240_000
    assert {one["rule"] for one in lines} == {ALL_WELL}


# What a seat sees


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_observation_size_and_absent_seats(n):
    one = game(n)
    assert one.observation_size == len(one.observation_labels) == len(set(one.observation_labels)) == 681
    absent = [k for k, name in enumerate(one.observation_labels) if any(f"seat{s}" in name for s in range(n, 5))]
    for state in random_states(one, 0):
        for seat in range(n):
            seen = state.observation(seat)
            assert np.isfinite(seen).all()
            assert np.abs(seen).max() < 10
            assert not seen[absent].any()


def test_observation_values():
    mover = {
        "company": "tesla",
        "cash": 50,
        "luminaries": {"upton": "selected"},
        "tech": {"ac": 3},
        "shares": {"brush": 2},
    }
    position = {
        "phase": "act",
        "current_player": 1,
        "turn": 3,
        "players": [{"company": "brush"}, mover],
        "prices": {"tesla": 39, "brush": 20},
        "patents": {"ac:3": "tesla"},
        "projects": {"albany_1": "tesla", "newark_1": "brush"},
        "offer": {"coffin": "brush"},
        "cards": ["mark_twain"],
        "current": -3,
    }
    state = start(2, **position)
    see = [dict(zip(game(2).observation_labels, state.observation(seat).tolist(), strict=True)) for seat in (1, 0)]
    for mine, k, other in ((see[0], 0, 1), (see[1], 1, 0)):
        assert mine["phase.act"] == mine["turn.3"] == mine[f"mover.seat{k}"] == 1
        assert mine[f"seat.seat{k}.company3"] == 1
        assert mine[f"seat.seat{k}.cash"] == pytest.approx(0.5)
        assert mine[f"seat.seat{k}.profit"] == pytest.approx(28 / 50)
        assert mine[f"seat.seat{k}.score"] == pytest.approx((4 * 39 + 2 * 20) / 1000)
        assert mine[f"seat.seat{k}.ac"] == pytest.approx(3 / 5)
        assert mine[f"seat.seat{k}.ready_invention"] == pytest.approx(0.3)
        assert mine[f"seat.seat{k}.all_invention"] == pytest.approx(0.6)
        assert mine[f"shares.seat{k}.seat{other}"] == pytest.approx(2 / 6)
        assert mine[f"patent.ac_3.seat{k}"] == 1
        assert mine["rating.invention"] == pytest.approx(0.3)
        assert mine["card.mark_twain"] == 1
        assert mine["current.marker"] == pytest.approx(-1)
        assert mine["current.dc"] == pytest.approx(2 / 3)
        assert mine["project.open.niagara_5"] == 1
        assert mine["offer.certificate_price.coffin"] == pytest.approx(0.2)
    assert see[0]["luminary.own_selected.upton"] == see[1]["luminary.rival.upton"] == 1
    assert see[0]["project.own.albany_1"] == see[1]["project.rival.albany_1"] == 1
    assert see[0]["between.buffalo"] == pytest.approx(0.1)
    assert see[0]["offer.rival_certificate.coffin"] == see[1]["offer.own_certificate.coffin"] == 1


def test_observation_leaks_no_generator_state():
    for state in random_states(game(3), 3):
        other = state.determinize(0, seed=99)
        assert other == state
        for seat in range(3):
            assert (other.observation(seat) == state.observation(seat)).all()
        assert other.legal_actions() == state.legal_actions()


def test_determinize_draws_anew_and_leaves_the_original_alone():
    spent = {"luminaries": {"edison": "exhausted"}}
    state = play(start(2, turn=2, players=[{}, spent], offer={"coffin": None}), "use:brush")
    before = state.to_bytes()
    offers = set()
    for seed in range(60):
        drawn = play(state.determinize(1, seed), "exhaust").to_dict()["offer"]
        assert len(drawn) == 4
        assert sorted(drawn.values()) == ["brush", "brush", "edison", "edison"]
        offers.add(tuple(sorted(drawn.items())))
    seen = {name for offer in offers for name, _ in offer}
    assert len(seen) == 10, "every luminary of phase 2 turns up"
    assert {company for offer in offers for name, company in offer if name == "coffin"} == {"brush", "edison"}
    assert state.to_bytes() == before


def test_all_actions_are_reached():
    """Random play reaches nearly all, rich positions the rest; DC ends at 4, so no level 5 project takes it."""
    reached = np.zeros(420, bool)
    for n in (2, 3, 4, 5):
        batch = Game(n, skip_forced=False).vector(32, seed=n, observe=False)
        rng = np.random.default_rng(n)
        for _ in range(700):
            reached |= batch.action_mask.any(axis=0)
            batch.step((rng.random(batch.action_mask.shape) * batch.action_mask).argmax(axis=1))
    rich = {"phase": "auction", "offer": {"coffin": None, "upton": None}, "players": [{"cash": 500}, {"cash": 500}]}
    reached |= play(start(2, **rich), "auction:coffin").legal_actions_mask()
    best = {"cash": 500, "tech": {"ac": 5, "bulb": 5, "dc": 4}}
    reached |= play(start(5, players=[best, {}, {}, {}, {}]), "use:brush").legal_actions_mask()
    staff = ["upton", "houston", "weston", "kruesi", "batchelor", "morgan", "shallenberger", "sprague", "stanley"]
    team = {"company": "edison", "luminaries": dict.fromkeys(staff, "ready")}
    state = play(start(2, players=[team, {}]), "use:edison", *(f"use:{name}" for name in staff))
    reached |= state.legal_actions_mask()
    missing = [game(2).action_to_string(int(a)) for a in np.flatnonzero(~reached)]
    assert missing == ["claim:niagara_5:dc", "claim:chicago_5:dc"]


def test_board_fits_and_names_everything():
    for n in (2, 5):
        for state in random_states(game(n), 8):
            lines = str(state).splitlines()
            assert max(map(len, lines)) <= 110
        assert "game over" in lines[0]
    text = str(start(2, phase="bid", offer={"coffin": "edison"}, auction={"luminary": "coffin", "bid": 3, "bidder": 1}))
    assert "seat 0 (brush) to move: bid" in text
    assert "coffin: 3 by edison" in text
    assert "coffin 0/1/1/1 +edison" in text
    assert "niagara (4) Vx2 ." in text


def test_readme_tables_are_those_of_the_code():
    text = (Path(tesla_env.__file__).parent / "README.md").read_text(encoding="utf-8")
    one = game(2)
    assert one.action_layout.markdown() in text
    assert one.observation_layout.markdown() in text
    for section, tally in one.parts.provenance.items():
        assert f"| {section} | {' | '.join(str(tally[word]) for word in PROVENANCES)} |" in text
