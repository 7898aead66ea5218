"""Matches, their arithmetic, and the command."""

import json
import sys
from collections import Counter

import numpy as np
import pytest

from agents import Agent, selfplay
from agents.games import Played, seating, wilson
from agents.selfplay import play_match, play_random
from core import registry
from core.game import IllegalActionError
from tests.toy_game import ToyGame


@pytest.fixture
def toy(monkeypatch):
    """The registry knows one game more."""
    known = registry.game_class
    monkeypatch.setattr(registry, "game_class", lambda name: ToyGame if name == "toy" else known(name))


class Takes(Agent):
    """Takes as many as it may up to a number, and notes its seats."""

    def __init__(self, name, most):
        self.name, self.most, self.seats = name, most, []

    def reset(self, seat):
        self.seats.append(seat)

    def act(self, state, rng):
        assert state.current_player() == self.seats[-1]
        return state.legal_actions()[: self.most][-1]


class Wrong(Agent):
    name = "wrong"

    def act(self, state, rng):
        return 3


# Intervals


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        (8, 10, 0.4901625, 0.9433178),
        (0, 10, 0.0, 0.2775328),
        (10, 10, 0.7224672, 1.0),
        (50, 100, 0.4038315, 0.5961685),
    ],
)
def test_wilson_interval(wins, games, low, high):
    assert wilson(wins, games) == pytest.approx((low, high), abs=1e-6)


def test_the_interval_covers_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(0)
    inside = 0
    for wins in rng.binomial(200, 0.3, size=2000):
        low, high = wilson(int(wins), 200)
        inside += low <= 0.3 <= high
    assert 0.93 < inside / 2000 < 0.97


@pytest.mark.parametrize(("wins", "games"), [(0, 0), (5, 4), (-1, 4)])
def test_an_interval_of_nothing_is_refused(wins, games):
    with pytest.raises(ValueError, match="wins in at least one game"):
        wilson(wins, games)


# Seats


@pytest.mark.parametrize(("agents", "seats"), [(1, 2), (2, 2), (2, 3), (2, 5), (3, 4), (4, 4)])
def test_every_agent_has_every_seat_equally_often(agents, seats):
    share = Counter(seating(agents, seats, 0))
    assert set(share) == set(range(agents))
    assert max(share.values()) - min(share.values()) <= 1
    had = Counter()
    for game in range(seats):
        lineup = seating(agents, seats, game)
        assert Counter(lineup) == share
        had.update(enumerate(lineup))
    for seat in range(seats):
        for agent in range(agents):
            assert had[seat, agent] == share[agent]


def test_the_agent_of_a_seat_is_the_one_that_moves_for_it(monkeypatch):
    made = []

    def load(spec, game):
        made.append(Takes(spec, 2))
        return made[-1]

    monkeypatch.setattr(selfplay, "load", load)
    match = play_match(ToyGame(3), ["a", "b", "c"], games=6)
    assert match.games == 6
    had = {name: Counter() for name in "abc"}
    for agent in made:
        had[agent.name].update(agent.seats)
    assert had == {name: Counter({0: 2, 1: 2, 2: 2}) for name in "abc"}


# Matches


def test_wins_scores_and_decisions_are_credited_to_who_sat_there(monkeypatch):
    results = iter(
        [
            Played([0, 1, 2], [9, 5, 1], [5, 3, 2], [0.0] * 3, False),  # a b a
            Played([0, 2, 0], [7, 2, 7], [4, 6, 10], [0.0] * 3, False),  # b a a
            Played([0, 0, 0], [3, 3, 3], [10, 10, 10], [0.0] * 3, True),  # a a b
        ]
    )
    monkeypatch.setattr(selfplay, "play_game", lambda *_: next(results))
    monkeypatch.setattr(selfplay, "load", lambda spec, game: Takes(spec, 1))
    heard = []
    match = play_match(ToyGame(3), ["a", "b"], games=3, watch=lambda match: heard.append(match.decisions))
    a, b = match.entries
    assert (a.name, a.seats, b.name, b.seats) == ("a", 2, "b", 1)
    assert a.wins == pytest.approx(1 + 1 / 2 + 2 / 3)
    assert b.wins == pytest.approx(1 / 2 + 1 / 3)
    assert a.mean_score == pytest.approx((9 + 1 + 2 + 7 + 3 + 3) / 6)
    assert b.mean_score == pytest.approx((5 + 7 + 3) / 3)
    assert (match.decisions, match.truncated, heard) == (60, 1, [10, 30, 60])


def test_an_agent_against_itself_wins_all_its_games():
    match = play_match(ToyGame(2), ["random"], games=20)
    (entry,) = match.entries
    assert entry.seats == 2
    assert entry.wins == pytest.approx(20)
    assert entry.interval()[1] == 1.0


def test_a_seed_repeats_a_match_and_another_does_not():
    def result(seed):
        match = play_match(ToyGame(2), ["random", "random"], 30, seed)
        return [(entry.name, entry.wins, entry.score) for entry in match.entries], match.decisions

    assert result(1) == result(1)
    assert result(1) != result(2)


def test_the_first_games_of_a_longer_match_are_the_same():
    heard = []
    play_match(ToyGame(2), ["random"], 12, 3, watch=lambda match: heard.append(match.decisions))
    assert play_match(ToyGame(2), ["random"], 5, 3).decisions == heard[4]


@pytest.mark.parametrize(
    ("specs", "games", "seed", "words"),
    [
        ([], 1, 0, "name at least one"),
        (["random"] * 3, 1, 0, "3 are more than the 2 seats"),
        (["random"], 0, 0, "games: expected a whole number of at least 1, got 0"),
        (["random"], 1, -1, "seed: .* at least 0"),
        (["random", "nobody"], 1, 0, "unknown agent 'nobody'"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(specs, games, seed, words):
    with pytest.raises(ValueError, match=words):
        play_match(ToyGame(2), specs, games, seed)


def test_an_illegal_choice_says_whose_it_was(monkeypatch):
    monkeypatch.setattr(selfplay, "load", lambda spec, game: Wrong())
    with pytest.raises(IllegalActionError) as caught:
        play_match(ToyGame(2), ["wrong"], 1)
    assert caught.value.__notes__ == ["chosen by wrong in seat 0"]


# Random play


def test_random_play_stops_after_its_games_and_repeats_with_its_seed():
    first, again = (play_random(ToyGame(2), games=500, seed=4) for _ in range(2))
    other = play_random(ToyGame(2), games=500, seed=5)
    split = play_random(ToyGame(2), games=500, seed=4, threads=2)
    assert first.games >= 500
    assert (first.games, first.decisions) == (again.games, again.decisions) == (split.games, split.decisions)
    assert (first.games, first.decisions) != (other.games, other.decisions)
    assert 8 < first.decisions / first.games < 15  # piles of 21 to 24, taken 1 to 3 at a time


def test_random_play_stops_after_its_seconds():
    speed = play_random(ToyGame(3), seconds=0.05)
    assert speed.players == 3
    assert 0.05 <= speed.seconds < 5
    assert speed.decisions > 0


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({}, "either seconds or games"),
        ({"seconds": 1.0, "games": 1}, "either seconds or games"),
        ({"seconds": 0.0}, "seconds: expected a number above 0"),
        ({"seconds": float("nan")}, "seconds: expected a number above 0"),
        ({"games": 0}, "games: .* at least 1"),
        ({"games": 1, "threads": 0}, "threads: .* at least 1"),
        ({"games": 1, "seed": -2}, "seed: .* at least 0"),
    ],
)
def test_random_play_without_end_or_beginning_is_refused(limits, words):
    with pytest.raises(ValueError, match=words):
        play_random(ToyGame(2), **limits)


# The command


def command(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["selfplay", *arguments])
    selfplay.main()


def test_the_command_plays_a_match(toy, monkeypatch, capsys, tmp_path):
    path = tmp_path / "match.json"
    command(monkeypatch, "toy", "--agents", "random", "random", "--games", "40", "--players", "3", "--json", str(path))
    printed = capsys.readouterr().out
    assert "Countdown, 3 players, 40 games" in printed
    assert "random #1" in printed and "random #2" in printed and "95 % interval" in printed
    result = json.loads(path.read_text())
    assert (result["game"], result["players"], result["games"], result["seed"]) == ("toy", 3, 40, 0)
    assert [entry["seats"] for entry in result["agents"]] == [2, 1]
    assert sum(entry["wins"] for entry in result["agents"]) == pytest.approx(40)
    for entry in result["agents"]:
        assert 0 <= entry["low"] <= entry["share"] <= entry["high"] <= 1


def test_the_command_plays_at_random_with_every_number_of_players(toy, monkeypatch, capsys, tmp_path):
    path = tmp_path / "speed.json"
    command(monkeypatch, "toy", "--games", "300", "--json", str(path))
    printed = capsys.readouterr().out
    assert "Countdown, random self-play, 1 thread" in printed and "decisions/s" in printed
    result = json.loads(path.read_text())
    assert [speed["players"] for speed in result["random"]] == [2, 3, 4]
    assert all(speed["games"] >= 300 for speed in result["random"])


def test_as_many_players_as_agents(toy, monkeypatch, capsys):
    command(monkeypatch, "toy", "--agents", "random", "random", "random", "--games", "1")
    assert "3 players, 1 games" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess"], "error: unknown game 'chess'; there are .*xenon"),
        (["toy", "--agents", "nobody"], "error: unknown agent 'nobody'; toy has random"),
        (["toy", "--agents", "random", "--games", "0"], "error: games: .* at least 1, got 0"),
        (["toy", "--games", "0"], "error: games: .* at least 1, got 0"),
        (["toy", "--players", "9"], "error: num_players: .* 2 to 4, got 9"),
        (["toy", "--players", "0", "--agents", "random"], "error: num_players"),
        (["toy", "--agents", *["random"] * 5], "error: agents: 5 are more than the 4 seats"),
        (["toy", "--agents", *["random"] * 3, "--players", "2"], "error: agents: 3 are more than the 2 seats"),
    ],
)
def test_the_command_ends_with_a_message(toy, monkeypatch, arguments, words):
    with pytest.raises(SystemExit, match=words):
        command(monkeypatch, *arguments)


def test_a_bad_number_is_refused_before_anything_is_played(toy, monkeypatch, capsys):
    with pytest.raises(SystemExit) as caught:
        command(monkeypatch, "toy", "--games", "many")
    assert caught.value.code == 2
