"""The State API of every game: what holds at each decision, round trips, results, errors."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest

from core.game import IllegalActionError
from tests.soak import soak
from tests.suite import Case, every_case, every_game, finished, illegal_action, played, walk


@every_case
def test_what_holds_at_every_decision(case: Case) -> None:
    game = case.game()
    low, high = game.observation_range
    for seed in range(3):
        for decisions, state in enumerate(walk(game, seed)):
            game.check_invariants(state)
            assert state.decisions == decisions
            legal = state.legal_actions()
            assert legal == sorted(set(legal))
            assert np.flatnonzero(state.legal_actions_mask()).tolist() == legal
            assert state.phase in game.phases
            for player in range(game.num_players):
                observation = state.observation(player)
                assert observation.shape == (game.observation_size,) and observation.dtype == np.float32
                assert np.isfinite(observation).all() and low <= observation.min() and observation.max() <= high
            if state.is_terminal():
                assert state.current_player() == -4 and legal == []
            else:
                assert 0 <= state.current_player() < game.num_players and legal
                assert state.returns() == [0.0] * game.num_players and state.winners() == []


@every_case
@pytest.mark.long
def test_many_random_decisions(case: Case) -> None:
    assert soak(case.game(), 2_000, seed=1000).sum() == 2_000


@every_case
def test_round_trips(case: Case) -> None:
    game = case.game()
    for number, state in enumerate(walk(game, 11)):
        if number % 5 and not state.is_terminal():
            continue
        copies = [
            state.clone(),
            copy.deepcopy(state),
            pickle.loads(pickle.dumps(state)),
            game.state_from_bytes(state.to_bytes()),
        ]
        assert all(other.digest() == state.digest() and other == state for other in copies)
        written = json.loads(json.dumps(state.to_dict()))
        read = game.state_from_dict(written, seed=3)
        assert read == state and hash(read) == hash(state)
        assert read.to_dict() == state.to_dict() == written
        for other in [*copies, read]:
            assert other.legal_actions() == state.legal_actions()
            assert other.observation(0).tobytes() == state.observation(0).tobytes()


@every_case
def test_copies_are_independent_and_play_on_alike(case: Case) -> None:
    game = case.game()
    state = played(game, 4, 10)
    before = state.digest()
    first, second = state.clone(), game.state_from_bytes(state.to_bytes())
    rng = np.random.default_rng(0)
    for _ in range(50):
        if first.is_terminal():
            break
        action = int(rng.choice(first.legal_actions()))
        first.apply_action(action)
        second.apply_action(game.action_to_string(action))
        assert first.digest() == second.digest()
    assert state.digest() == before != first.digest()
    assert state != first


@every_case
def test_the_seed_decides(case: Case) -> None:
    game = case.game()
    assert game.new_initial_state(5).digest() == case.game().new_initial_state(5).digest()
    assert len({game.new_initial_state(seed).digest() for seed in range(20)}) == 20
    assert game.new_initial_state().digest() != game.new_initial_state().digest()


@every_case
@pytest.mark.parametrize("reward", ["win", "rank", "margin"])
def test_returns(case: Case, reward: str) -> None:
    game = case.game(reward=reward)
    n = game.num_players
    for seed in range(6):
        state = finished(game, seed)
        returns, scores, winners = state.returns(), state.scores(), state.winners()
        if n == 1:
            assert returns[0] in (-1.0, 0.0, 1.0)
            continue
        assert sum(returns) == pytest.approx(0, abs=1e-9)
        assert winners and all(scores[seat] == max(scores) for seat in winners)
        if reward == "win":
            k = len(winners)
            won, lost = (n - k) / (k * (n - 1)), -1 / (n - 1)
            assert returns == pytest.approx([won if seat in winners else lost for seat in range(n)])
        elif reward == "rank":
            assert all(-1 <= value <= 1 for value in returns)
            assert all(returns[seat] == max(returns) for seat in winners)
            assert all(returns[a] > returns[b] for a in range(n) for b in range(n) if scores[a] > scores[b])
        else:
            expected = [(own - (sum(scores) - own) / (n - 1)) / game.margin_scale for own in scores]
            assert returns == pytest.approx(expected)


@every_case
def test_forced_decisions_are_skipped_and_nothing_else_changes(case: Case) -> None:
    asking, skipping = case.game(skip_forced=False), case.game(skip_forced=True)

    def settled(state):
        while not state.is_terminal() and len(state.legal_actions()) == 1:
            state.apply_action(state.legal_actions()[0])
        return state

    rng = np.random.default_rng(8)
    short, long = skipping.new_initial_state(8), settled(asking.new_initial_state(8))
    for _ in range(400):
        position, same = short.to_dict(), long.to_dict()
        assert position.pop("decisions") <= same.pop("decisions")
        assert position == same
        assert (short.states["rng"] == long.states["rng"]).all()
        if short.is_terminal():
            break
        assert len(short.legal_actions()) > 1
        action = int(rng.choice(short.legal_actions()))
        short.apply_action(action)
        long.apply_action(action)
        settled(long)


@every_case
def test_truncation(case: Case) -> None:
    game = case.game(max_decisions=3)
    state = game.new_initial_state(1)
    for decision in range(3):
        assert not state.is_terminal() and not state.is_truncated()
        assert state.decisions == decision
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal() and state.is_truncated()
    assert state.current_player() == -4 and state.legal_actions() == []
    assert len(state.scores()) == game.num_players
    assert state.winners() or game.num_players == 1, "only the game itself can beat everybody"
    assert game.num_players == 1 or sum(state.returns()) == pytest.approx(0, abs=1e-9)
    assert state.to_dict()["truncated"] is True and state.to_dict()["terminal"] is True
    with pytest.raises(IllegalActionError, match="the game is over"):
        state.apply_action(0)


@every_case
def test_refused_actions_change_nothing(case: Case) -> None:
    game = case.game()
    state = played(game, 2, 7)
    before = state.digest(), state.legal_actions()
    for action in (-1, game.num_actions, 10**30, "no_such_action", "", None, 1.0, True, [0], np.float32(1)):
        with pytest.raises(IllegalActionError):
            state.apply_action(action)  # type: ignore[arg-type]
        assert (state.digest(), state.legal_actions()) == before
    for position in walk(game, 2):
        action = illegal_action(position)
        if action is not None and not position.is_terminal():
            before = position.digest(), position.legal_actions()
            name, legal = game.action_to_string(action), game.action_to_string(position.legal_actions()[0])
            for given in (action, np.int32(action), name):
                with pytest.raises(IllegalActionError) as caught:
                    position.apply_action(given)  # type: ignore[arg-type]
                assert repr(name) in str(caught.value) and legal in str(caught.value)
                assert (position.digest(), position.legal_actions()) == before
    over = finished(game, 3)
    before_end = over.digest()
    for action in (0, game.action_to_string(0)):
        with pytest.raises(IllegalActionError, match="the game is over"):
            over.apply_action(action)
    assert over.digest() == before_end


@every_game
def test_names_and_ids_are_a_bijection(case: Case) -> None:
    game = case.game()
    names = [game.action_to_string(action) for action in range(game.num_actions)]
    assert len(set(names)) == game.num_actions
    assert [game.string_to_action(name) for name in names] == list(range(game.num_actions))
    for other in range(game.min_players, game.max_players + 1):
        elsewhere = case.game(num_players=other)
        assert [elsewhere.action_to_string(a) for a in range(elsewhere.num_actions)] == names
        assert elsewhere.observation_size == game.observation_size
    for wrong in (-1, game.num_actions, "x", 1.0):
        with pytest.raises(IllegalActionError):
            game.action_to_string(wrong)  # type: ignore[arg-type]


@every_game
def test_observation_features_are_named(case: Case) -> None:
    game = case.game()
    assert len(game.observation_labels) == len(set(game.observation_labels)) == game.observation_size
    covered = [i for part in game.observation_slices.values() for i in range(part.start, part.stop)]
    assert covered == list(range(game.observation_size))


@every_game
@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("num_players", 0),
        ("num_players", 99),
        ("num_players", 2.0),
        ("num_players", "two"),
        ("num_players", True),
        ("max_decisions", 0),
        ("max_decisions", 1.5),
        ("skip_forced", "yes"),
        ("skip_forced", 1),
        ("reward", "money"),
        ("reward", None),
    ],
)
def test_bad_options_are_named(case: Case, option: str, value: object) -> None:
    with pytest.raises(ValueError, match=option):
        case.game(**{option: value})


@every_game
@pytest.mark.parametrize("seed", [-1, 1.5, "seven", True])
def test_bad_seeds(case: Case, seed: object) -> None:
    with pytest.raises((ValueError, TypeError), match="seed"):
        case.game().new_initial_state(seed)  # type: ignore[arg-type]


@every_game
def test_bad_seats(case: Case) -> None:
    state = case.game().new_initial_state(0)
    for player in (-1, state.game.num_players, "0", 1.0, True):
        with pytest.raises(ValueError, match="player"):
            state.observation(player)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="player"):
            state.determinize(player, 0)  # type: ignore[arg-type]


@every_game
def test_bad_bytes(case: Case) -> None:
    game = case.game()
    good = game.new_initial_state(0).to_bytes()
    middle = len(good) // 2
    flipped = good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1 :]
    for bad in (b"", b"hello", good[:-1], good[:40], good + b"\0", flipped, b"\x80" + good[1:], "text", None):
        with pytest.raises(ValueError):
            game.state_from_bytes(bad)  # type: ignore[arg-type]
    other = case.game(num_players=game.num_players + 1)
    with pytest.raises(ValueError, match="num_players"):
        other.state_from_bytes(good)


@every_game
def test_bad_dicts(case: Case) -> None:
    game = case.game()
    good = game.new_initial_state(0).to_dict()
    for key, value in [
        ("no_such_key", 1),
        ("game", "chess"),
        ("num_players", game.num_players + 1),
        ("decisions", -1),
        ("decisions", "many"),
        ("current_player", game.num_players),
        ("terminal", "no"),
        ("options", 3),
        ("options", {"no_such_key": 1}),
    ]:
        with pytest.raises(ValueError, match="no_such_key" if value == {"no_such_key": 1} else key):
            game.state_from_dict(good | {key: value})
    with pytest.raises(ValueError):
        game.state_from_dict([])  # type: ignore[arg-type]
    assert game.state_from_dict({}).legal_actions()
