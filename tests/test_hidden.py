"""Hidden information: what ``determinize`` promises, and that observations do not leak."""

from __future__ import annotations

import numpy as np

from core.rng import seed_words
from tests.suite import NOTHING_HIDDEN, Case, every_case, walk


@every_case
def test_determinize_keeps_what_the_player_sees(case: Case) -> None:
    game = case.game()
    changed = 0
    for number, state in enumerate(walk(game, 5, 400)):
        if number % 7:
            continue
        before = state.digest()
        for player in range(game.num_players):
            other = state.determinize(player, number)
            assert state.digest() == before, "the original is left alone"
            game.check_invariants(other)
            assert other.observation(player).tobytes() == state.observation(player).tobytes()
            assert other.current_player() == state.current_player() and other.phase == state.phase
            assert other.decisions == state.decisions
            if player == state.current_player():
                assert other.legal_actions() == state.legal_actions()
            assert other.digest() == state.determinize(player, number).digest(), "the seed decides"
            assert (other.states["rng"] != state.states["rng"]).any(), "the generator is seeded anew"
            changed += other != state
    assert (changed > 0) == (case.name not in NOTHING_HIDDEN), "what was hidden has been dealt anew"


@every_case
def test_determinize_deals_differently_for_different_seeds(case: Case) -> None:
    game = case.game()
    state = game.new_initial_state(2)
    dealt = [state.determinize(0, seed) for seed in range(40)]
    assert (len({hash(other) for other in dealt}) > 1) == (case.name not in NOTHING_HIDDEN)
    assert len({other.states["rng"].tobytes() for other in dealt}) == 40
    assert dealt[0].states["rng"].tobytes() != seed_words(2).tobytes()


@every_case
def test_observations_do_not_leak(case: Case) -> None:
    """Positions that differ only in what a player cannot know look the same to it, now and as the game goes on."""
    game = case.game()
    rng = np.random.default_rng(3)
    for seed in range(4):
        for number, state in enumerate(walk(game, seed, 60)):
            if number % 11 or state.is_terminal():
                continue
            player = state.current_player()
            views = {state.determinize(player, k).observation(player).tobytes() for k in range(8)}
            assert views == {state.observation(player).tobytes()}
            one, two = state.determinize(player, 1), state.determinize(player, 2)
            action = int(rng.choice(state.legal_actions()))
            assert action in one.legal_actions() and action in two.legal_actions()
            one.apply_action(action)
            two.apply_action(action)
            game.check_invariants(one)
            game.check_invariants(two)


@every_case
def test_the_board_of_an_observer_does_not_leak(case: Case) -> None:
    game = case.game()
    whole = 0
    for number, state in enumerate(walk(game, 4, 300)):
        if number % 9 or state.is_terminal():
            continue
        for player in range(game.num_players):
            others = [state.determinize(player, seed) for seed in range(6)]
            assert {game.draw(other, player) for other in others} == {game.draw(state, player)}
            whole += len({str(other) for other in others}) > 1
    if case.name.startswith(("toy", "xenon")):
        assert whole > 0, "the board of nobody in particular shows everything"


@every_case
def test_determinize_depends_on_what_the_player_sees_alone(case: Case) -> None:
    """Positions that look the same to a player are dealt anew to the same position by the same seed."""
    game = case.game()
    for number, state in enumerate(walk(game, 6, 300)):
        if number % 9 == 0:
            for player in range(game.num_players):
                dealt = [state.determinize(player, seed).determinize(player, 99) for seed in range(4)]
                assert {other.digest() for other in dealt} == {state.determinize(player, 99).digest()}
