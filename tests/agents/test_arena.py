"""The arena: line-ups, seats, sums, ratings, and games that survive a kill."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from rich.console import Console

from agents import arena
from agents.arena import Arena, Record, Tables, lineups, ratings, results, seats_of, summary
from agents.games import Played
from core import registry
from tests.toy_game import ToyGame


@pytest.fixture
def toy(monkeypatch):
    """The registry knows one game more."""
    known = registry.game_class
    monkeypatch.setattr(registry, "game_class", lambda name: ToyGame if name == "toy" else known(name))


def record(lineup, number, seats, places, truncated=False):
    n = len(seats)
    return Record(lineup, number, seats, Played(places, [0] * n, [2] * n, [0.5] * n, truncated))


def play(**settings):
    Arena("toy", **settings).run(Console(width=110))


# Line-ups and seats


@pytest.mark.parametrize(
    ("agents", "seats", "expected"),
    [
        (3, 2, [(0, 1), (0, 2), (1, 2)]),
        (1, 2, [(0, 0)]),
        (4, 3, [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]),
        (2, 4, [(0, 1, 1, 1), (0, 0, 1, 1), (0, 0, 0, 1)]),
        (3, 4, [(0, 1, 2, 2), (0, 1, 1, 2), (0, 0, 1, 2)]),
        (2, 1, [(0,), (1,)]),
    ],
)
def test_who_plays_whom(agents, seats, expected):
    assert lineups(agents, seats) == expected


@pytest.mark.parametrize("lineup", [(0, 1), (2, 5, 7), (0, 1, 1, 1), (0, 1, 2, 3, 4)])
def test_everybody_has_every_seat_once_with_each_deal(lineup):
    seats = len(lineup)
    orders = set()
    for deal in range(40):
        games = [seats_of(lineup, 3, deal * seats + k) for k in range(seats)]
        for seat in range(seats):
            assert sorted(game[seat] for game in games) == sorted(lineup)
        assert all(sorted(game) == sorted(lineup) for game in games)
        orders.add(tuple(games[0]))
    assert len(orders) > 1, "neighbours change"


def test_pairings_play_the_same_deals(toy):
    tables = Tables("toy", 2, ("random", "random", "mcts:2"), 5)
    dealt = {}
    new = tables.game.new_initial_state

    def noted(seed):
        dealt.setdefault(key, []).append(seed)
        return new(seed)

    tables.game.new_initial_state = noted
    for key in range(3):
        for number in range(6):
            tables.play(key, number)
    assert dealt[0] == dealt[1] == dealt[2]
    assert [dealt[0][k] for k in (0, 2, 4)] == [dealt[0][k] for k in (1, 3, 5)]
    assert len(set(dealt[0])) == 3


# Sums


def test_shared_wins_count_their_share():
    names, choices = ["a", "b"], [(0, 1, 1)]
    games = [
        record(0, 0, [0, 1, 1], [0, 1, 2]),
        record(0, 1, [1, 0, 1], [0, 0, 2]),
        record(0, 2, [1, 1, 0], [0, 0, 2], truncated=True),
        record(0, 3, [0, 1, 1], [0, 0, 0]),
    ]
    (result,) = results(games, names, choices)
    assert result.agents == ["a", "b", "b"]
    assert (result.games, result.truncated) == (4, 1)
    assert result.wins == pytest.approx({"a": 1 + 1 / 2 + 1 / 3, "b": 1 / 2 + 1 + 2 / 3})
    assert result.win_rate("a") + result.win_rate("b") == pytest.approx(1)
    low, high = result.interval("a")
    assert 0 < low < result.win_rate("a") < high < 1


def test_ratings_follow_the_places_and_not_the_order_in_which_games_end():
    names = ["strong", "middle", "weak"]
    games = [record(0, k, [k % 3, (k + 1) % 3, (k + 2) % 3], [k % 3, (k + 1) % 3, (k + 2) % 3]) for k in range(60)]
    rated = ratings(games, names)
    assert list(rated) == names
    assert rated["strong"].mu > 25 > rated["weak"].mu
    assert all(0 < rating.sigma < 25 / 3 for rating in rated.values())
    assert (rated["weak"].games, rated["weak"].moves, rated["weak"].seconds) == (60, 120, 30.0)
    assert ratings(games[::-1], names) == rated


def test_an_agent_with_several_seats_is_rated_and_equals_stay_equal():
    games = [record(0, k, [0, 1, 1], [0, 0, 0]) for k in range(30)]
    rated = ratings(games, ["a", "b"])
    assert rated["a"].mu == pytest.approx(25, abs=1) and rated["b"].mu == pytest.approx(25, abs=1)
    assert rated["b"].games == 60


def test_the_summary_has_the_documented_form(toy):
    found = results([record(0, 0, [0, 1], [0, 1])], ["a", "b"], [(0, 1)])
    data = summary(ToyGame(2), found, ratings([record(0, 0, [0, 1], [0, 1])], ["a", "b"]))
    assert set(data) == {"game", "num_players", "results", "ratings"}
    (result,) = data["results"]
    assert result["agents"] == ["a", "b"] and result["games"] == 1
    assert result["win_rate"] == {"a": 1.0, "b": 0.0}
    assert result["ci95"]["a"] == pytest.approx([0.2065, 1.0], abs=1e-3)
    assert set(data["ratings"]["a"]) == {"mu", "sigma"}


# Runs


def kept(path):
    """The games in a file, without the time they took."""
    rows = [json.loads(line) for line in path.with_suffix(".games.jsonl").read_text().splitlines()[1:]]
    for row in rows:
        del row["played"]["seconds"]
    return sorted(rows, key=lambda row: (row["number"], row["lineup"]))


def test_a_run_writes_its_files_and_prints_its_tables(toy, tmp_path, capsys):
    path, plot = tmp_path / "out.json", tmp_path / "out.png"
    play(agents=("random", "mcts:30"), games=20, json=path, plot=plot)
    printed = capsys.readouterr().out
    for words in ("Countdown, 2 players", "ms a move", "95 % interval", "random, mcts:30"):
        assert words in printed
    data = json.loads(path.read_text())
    (result,) = data["results"]
    assert result["games"] == 20
    assert result["win_rate"]["mcts:30"] > 0.5
    assert list(data["ratings"]) == ["mcts:30", "random"]
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert len(kept(path)) == 20


def test_several_players_and_the_same_agent_twice(toy, tmp_path):
    path, plot = tmp_path / "out.json", tmp_path / "out.svg"
    play(agents=("random", "random"), games=9, players=3, json=path, plot=plot)
    data = json.loads(path.read_text())
    assert data["num_players"] == 3
    assert [result["agents"] for result in data["results"]] == [
        ["random #1", "random #2", "random #2"],
        ["random #1", "random #1", "random #2"],
    ]
    for result in data["results"]:
        assert sum(result["win_rate"].values()) == pytest.approx(1)
    assert b"<svg" in plot.read_bytes()


def test_a_stopped_run_goes_on_to_the_same_result(toy, tmp_path, monkeypatch):
    whole, part = tmp_path / "whole.json", tmp_path / "part.json"
    settings = {"agents": ("random", "mcts:5", "mcts:10"), "games": 8, "seed": 4}
    play(**settings, json=whole)

    real = Tables.play
    left = iter(range(11))

    def stopping(self, lineup, number):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return real(self, lineup, number)

    monkeypatch.setattr(Tables, "play", stopping)
    with pytest.raises(KeyboardInterrupt):
        play(**settings, json=part)
    monkeypatch.setattr(Tables, "play", real)
    assert not part.exists()
    assert len(kept(part)) == 11
    with open(part.with_suffix(".games.jsonl"), "ab") as file:
        file.write(b'{"lineup": 0, "num')  # as a kill in the middle of a write leaves it
    play(**settings, json=part, resume=True)
    assert kept(part) == kept(whole)
    assert part.read_text() == whole.read_text()


def test_a_finished_run_can_be_made_longer_or_looked_at_again(toy, tmp_path, monkeypatch):
    path, longer = tmp_path / "out.json", tmp_path / "longer.json"
    play(agents=("random", "mcts:5"), games=4, json=path)
    play(agents=("random", "mcts:5"), games=10, json=longer)
    play(agents=("random", "mcts:5"), games=10, json=path, resume=True)
    assert path.read_text() == longer.read_text()
    monkeypatch.setattr(Tables, "play", None)
    play(agents=("random", "mcts:5"), games=10, json=path, resume=True)
    play(agents=("random", "mcts:5"), games=4, json=path, resume=True)
    assert json.loads(path.read_text())["results"][0]["games"] == 4


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"resume": False}, "holds the games of an earlier run: go on with --resume, or remove it"),
        ({"seed": 1}, "its games have seed 0, not 1"),
        ({"agents": ("random", "mcts:6")}, "its games have agents .*'mcts:5'"),
        ({"players": 3}, "its games have num_players 2, not 3"),
    ],
)
def test_the_games_of_another_run_are_not_mixed_in(toy, tmp_path, changed, words):
    settings = {"agents": ("random", "mcts:5"), "games": 2, "json": tmp_path / "out.json"}
    play(**settings)
    before = settings["json"].with_suffix(".games.jsonl").read_bytes()
    with pytest.raises(ValueError, match=words):
        play(**settings | {"resume": True} | changed)
    assert settings["json"].with_suffix(".games.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("line", "content", "words"),
    [
        (0, b"", "line 1: not a game"),
        (0, b"{}", "line 1: not a game"),
        (2, b"[]", "line 3: not a game"),
        (2, b'{"lineup": 0}', "line 3: not a game"),
        (2, b"\xff", "line 3: not a game"),
    ],
)
def test_a_damaged_file_of_games_is_refused(toy, tmp_path, line, content, words):
    path = tmp_path / "out.json"
    play(agents=("random", "mcts:5"), games=3, json=path)
    games = path.with_suffix(".games.jsonl")
    lines = games.read_bytes().split(b"\n")
    lines[line] = content
    games.write_bytes(b"\n".join(lines))
    with pytest.raises(ValueError, match=rf"out\.games\.jsonl, {words}"):
        play(agents=("random", "mcts:5"), games=3, json=path, resume=True)


WORKERS = ["xenon", "--agents", "random", "greedy", "--games", "12"]


def start(path, *arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "agents.arena", *WORKERS, "--json", str(path), *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.long
def test_workers_change_nothing_and_a_kill_loses_only_running_games(tmp_path):
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    alone = start(one)
    assert alone.wait(300) == 0, alone.stdout.read()
    killed = start(two, "--workers", "2", "--games", "100000")
    games, limit = two.with_suffix(".games.jsonl"), time.monotonic() + 200
    while not games.exists() or games.read_bytes().count(b"\n") < 4:
        assert killed.poll() is None and time.monotonic() < limit, killed.stdout.read()
        time.sleep(0.05)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert games.read_bytes().count(b"\n") >= 4
    again = start(two, "--workers", "2", "--resume")
    assert again.wait(300) == 0, again.stdout.read()
    assert two.read_text() == one.read_text()
    for process in (alone, killed, again):
        process.stdout.close()


# Bad input


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess", "--agents", "random"], "error: unknown game 'chess'"),
        (["toy", "--agents", "random", "nobody"], "error: unknown agent 'nobody'"),
        (["toy", "--agents", "random", "--games", "0"], "error: games: .* at least 1, got 0"),
        (["toy", "--agents", "random", "--workers", "0"], "error: workers: .* at least 1, got 0"),
        (["toy", "--agents", "random", "--seed", "-1"], "error: seed: .* at least 0, got -1"),
        (["toy", "--agents", "random", "--players", "9"], "error: num_players: .* 2 to 4, got 9"),
        (["pax", "--agents", "random", "--players", "1"], "error: players: .* at least 2, got 1"),
        (["toy", "--agents", "random", "--resume"], "error: resume: .* --json"),
        (["toy", "--agents", "random", "--plot", "a.bmp"], r"error: plot: .* \.png, \.svg, \.pdf, got a\.bmp"),
        (["toy", "--agents", "random", "--json", "/proc/no/such.json"], "error: cannot write /proc/no/such"),
        (["toy", "--agents"], "error: agents: name at least one"),
    ],
)
def test_the_command_ends_with_a_message(toy, monkeypatch, arguments, words):
    monkeypatch.setattr(sys, "argv", ["arena", *arguments])
    with pytest.raises(SystemExit, match=words):
        arena.main()


def test_stopping_says_how_to_go_on(toy, monkeypatch, tmp_path):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Tables, "play", stop)
    monkeypatch.setattr(sys, "argv", ["arena", "toy", "--agents", "random", "--json", str(tmp_path / "a.json")])
    with pytest.raises(SystemExit, match="go on with --resume"):
        arena.main()
