"""Greedy for Xenon: it wins, it plays by the rules, and it does not peep."""

import os
import subprocess
import sys

import numpy as np
import pytest

from agents import load
from agents.greedy import xenon
from agents.scripted import LONE
from agents.selfplay import play_match
from core import registry

PLAY = """
import hashlib, sys
import numpy as np
from agents import load
from core import registry

game = registry.game("xenon", num_players=3, max_decisions=60)
agents = [load(name, game) for name in ("greedy", "random", "greedy")]
rng = np.random.default_rng(1)
state = game.new_initial_state(seed=8)
outlooks = 0.0
while not state.is_terminal():
    outlooks += agents[0].outlooks(state.states, np.zeros(1, np.int64), game)[0].astype(float)
    state.apply_action(agents[state.current_player()].act(state, rng))
print(state.digest(), outlooks.round(2).tolist())
"""


@pytest.mark.parametrize(("agents", "players"), [(["greedy", "random"], 2), (["greedy", *["random"] * 4], 5)])
def test_greedy_beats_random(agents, players):
    match = play_match(registry.game("xenon", num_players=players), agents, games=100, seed=1)
    assert match.entries[0].name == "greedy"
    assert match.entries[0].wins >= 90


@pytest.mark.parametrize("options", [{}, {"element_supply": dict.fromkeys(("N", "O", "Kr", "Xe"), 10)}])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_games_among_greedy_players_end_by_the_rules(players, options):
    match = play_match(registry.game("xenon", num_players=players, **options), ["greedy"], games=20, seed=2)
    assert match.truncated == 0


@pytest.mark.parametrize("players", [2, 4])
def test_greedy_does_not_look_at_what_its_seat_cannot_know(players):
    game = registry.game("xenon", num_players=players)
    greedy, chance = load("greedy", game), np.random.default_rng(3)
    seen = 0
    for seed in range(3):
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            before = state.to_bytes()
            action = greedy.act(state, chance)
            assert state.to_bytes() == before
            other = state.determinize(state.current_player(), seed=int(chance.integers(2**32)))
            seen += other != state
            assert greedy.act(other, chance) == action
            # some random moves lead to positions that greedy play alone does not
            state.apply_action(action if chance.random() < 0.7 else int(chance.choice(state.legal_actions())))
    assert seen > 100


def test_greedy_uses_no_chance():
    game = registry.game("xenon")
    state, greedy = game.new_initial_state(seed=0), load("greedy", game)
    rng = np.random.default_rng(0)
    before = rng.bit_generator.state
    greedy.act(state, rng)
    assert rng.bit_generator.state == before


def test_the_compiled_and_the_plain_agent_play_the_same():
    def digest(**extra):
        run = subprocess.run(
            [sys.executable, "-c", PLAY],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **extra},
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        return run.stdout

    assert digest(NUMBA_DISABLE_JIT="1") == digest()


def test_the_numbers_of_the_outlook_stand_where_they_should():
    game = registry.game("xenon", num_players=5)
    greedy, rng = load("greedy", game), np.random.default_rng(4)
    state = game.new_initial_state(seed=3)
    while state.decisions < 150:
        outlook, record, mover = greedy.outlooks(state.states, LONE, game)[0], state.states[0], state.current_player()
        parties = outlook[: xenon.PARTY_NUMBERS * 5].reshape(5, -1)
        seats = [(mover + party) % 5 for party in range(5)]
        np.testing.assert_allclose(parties[:, 5], np.minimum(40, record["money"][seats]) / 15, rtol=1e-6)
        np.testing.assert_allclose(parties[:, 6], record["tokens"][seats] / 4)
        cards = record["system"] + record["hand"] + record["discard"]
        np.testing.assert_allclose(parties[:, 17], cards[seats].sum(axis=1) / 30, rtol=1e-6)
        hand = outlook[xenon.PARTY_NUMBERS * 5 :][: xenon.HAND_NUMBERS]
        assert hand[4] == pytest.approx(record["hand"][mover, xenon.XE] / 3)
        system = record["system"][mover]
        assert hand[-1] == pytest.approx(system[xenon.XE] / max(1, system.sum()))
        assert outlook[-2:] == pytest.approx([state.decisions / 200, 1.5])
        state.apply_action(greedy.act(state, rng))


def test_the_outlook_does_not_show_which_upgrades_others_hold():
    """Everybody has one more of each, in a hand that nobody has seen or in the System."""
    game = registry.game("xenon", num_players=3)
    greedy, rng = load("greedy", game), np.random.default_rng(4)
    state, seen = game.new_initial_state(seed=3), 0
    while state.decisions < 250 and not state.is_terminal():
        if state.decisions % 10 == 0:
            other = state.clone()
            places = rng.integers(2, size=(3, xenon.HELD - xenon.UPGRADE))
            for name, share in (("hand", places), ("system", 1 - places)):
                other.states[name][0, :3, xenon.UPGRADE :] += share.astype(np.int16)
            mover = other.current_player()
            outlook = greedy.outlooks(other.states, LONE, game)
            assert not np.array_equal(outlook, greedy.outlooks(state.states, LONE, game))
            for seed in range(4):
                dealt = other.determinize(mover, seed)
                hands = [each.states["hand"][0, :3, xenon.PACKED_COLUMNS] > 0 for each in (other, dealt)]
                seen += int((hands[0] != hands[1]).any())
                np.testing.assert_array_equal(greedy.outlooks(dealt.states, LONE, game), outlook)
        state.apply_action(greedy.act(state, rng))
    assert seen > 20


@pytest.mark.parametrize("upgrades", [(), ("silica_gel",), ("swing_adsorption",)])
def test_the_outlook_tells_what_a_hand_from_all_cards_promises(upgrades):
    """Compared with hands that are drawn: an installed gel takes away the O, an installed adsorber the N."""
    game = registry.game("xenon", num_players=2)
    greedy, rng = load("greedy", game), np.random.default_rng(2)
    state = game.new_initial_state(seed=1)
    while state.decisions < 60:
        state.apply_action(greedy.act(state, rng))
    mover = state.current_player()
    record = state.states[0]
    cards = [xenon.CARDS.index(word) for word in upgrades]
    record["installed"][mover, [card - xenon.UPGRADE for card in cards]] = 1
    copies = record["system"][mover] + record["hand"][mover] + record["discard"][mover]
    pile = np.repeat(np.arange(xenon.HELD), copies)
    size = game.tables[0]["hand_size"] + record["pipelines"][mover].sum()
    hands = np.array([rng.permutation(pile)[:size] for _ in range(20_000)])
    kinds = sum((hands == element).any(axis=1) for element in (xenon.N, xenon.O, xenon.KR))
    for word, card, element in (("silica_gel", xenon.SILICA_GEL, xenon.O), ("swing_adsorption", xenon.SWING, xenon.N)):
        assert card == xenon.CARDS.index(word)
        kinds = kinds - (hands == element).any(axis=1) * (word in upgrades)
    start = 12  # of put_harvest in put_party
    one, two, xe = greedy.advice(state.states, LONE, game)[0, start : start + 3]
    assert 0.01 < one <= two
    assert (one, two) == pytest.approx(((kinds <= 1).mean(), (kinds <= 2).mean()), abs=0.015)
    assert xe == pytest.approx((hands == xenon.XE).sum(axis=1).mean(), abs=0.05)
