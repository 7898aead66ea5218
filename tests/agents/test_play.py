"""A person at the terminal."""

import io
import json
import sys
from pathlib import Path

import pytest
from rich.console import Console

from agents import play
from agents.play import Session, Terminal
from core import registry
from tests.suite import played
from tests.toy_game import ToyGame


@pytest.fixture
def toy(monkeypatch):
    """The registry knows one game more."""
    known = registry.game_class
    monkeypatch.setattr(registry, "game_class", lambda name: ToyGame if name == "toy" else known(name))


def typed(*lines, end=EOFError):
    """Answers to prompts; then the input ends."""
    left = iter(lines)

    def ask(prompt):
        for line in left:
            if isinstance(line, BaseException):
                raise line
            return line
        raise end

    return ask


def run(session, path, *lines, end=EOFError):
    """What the terminal says when a person types the lines."""
    console = Console(file=io.StringIO(), width=100)
    Terminal(session, path, console, typed(*lines, end=end)).run()
    return console.file.getvalue()


# The session


def test_opponents_play_until_it_is_the_persons_turn():
    session = Session(ToyGame(4), 2, ["random", "mcts:5"], seed=3)
    assert [session.agents[seat].name for seat in (0, 1, 3)] == ["random", "mcts:5", "random"]
    session.go_on()
    assert session.state.current_player() == 2
    assert [seat for seat, _ in session.since()] == [0, 1]
    session.take("take:1")
    assert session.since() == []
    session.go_on()
    assert [seat for seat, _ in session.since()] == [3, 0, 1]
    assert session.state.decisions == 6


def test_undo_goes_back_one_own_decision_and_the_game_goes_on_as_before():
    session = Session(ToyGame(3), 1, ["random"], seed=5)
    assert not session.undo()
    session.go_on()
    first = session.state.clone()
    assert not session.undo()
    assert session.state == first
    session.take("take:2")
    session.go_on()
    second, moves = session.state.clone(), list(session.moves)
    session.take("take:1")
    session.go_on()
    assert session.undo() and session.state == second and session.moves == moves
    assert session.undo() and session.state == first
    session.take("take:2")
    session.go_on()
    assert session.state == second


def test_what_is_typed_means_a_number_a_name_or_the_beginning_of_one():
    session = Session(registry.game("xenon"), 0, ["random"], seed=1)
    names = [session.game.action_to_string(action) for action in session.state.legal_actions()]
    assert names == ["overtime:no", "overtime:yes"]
    assert session.meant("1") == "overtime:no"
    assert session.meant("overtime:y") == "overtime:yes"
    for text, words in [
        ("overtime", "begins 2 names: overtime:no, overtime:yes"),
        ("0", "numbers are 1 to 2"),
        ("3", "numbers are 1 to 2"),
        ("distill", "no legal action or command"),
        ("-1", "no legal action or command"),
    ]:
        with pytest.raises(ValueError, match=words):
            session.meant(text)


def test_a_kept_game_goes_on_as_it_would_have(toy, tmp_path):
    path = tmp_path / "game.json"
    session = Session(ToyGame(3), 1, ["mcts:7", "random"], seed=11)
    session.go_on()
    session.take("take:3")
    session.save(path)
    again = Session.load(path, "toy")
    assert (again.seat, again.opponents, again.seed, again.moves) == (1, ("mcts:7", "random"), 11, session.moves)
    assert again.state.digest() == session.state.digest()
    session.go_on()
    again.go_on()
    assert again.moves == session.moves
    again.save(path)
    session.undo()
    assert Session.load(path, "toy").undo()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "xenon"}, "game: expected 'toy', got 'xenon'"),
        ({"format": "other"}, "format: expected 'boardroom-play-1', got 'other'"),
        ({"version": 9}, "version: expected 0, got 9"),
        ({"num_players": 9}, "num_players: .* from 2 to 4, got 9"),
        ({"components": "00"}, "components: expected"),
        ({"seat": 3}, "seat: expected 0 to 2, got 3"),
        ({"seat": "one"}, "seat: expected a whole number"),
        ({"opponents": "random"}, "opponents: expected a list"),
        ({"opponents": ["nobody"]}, "unknown agent 'nobody'"),
        ({"actions": ["take:9"]}, "unknown action 'take:9'"),
        ({"actions": [3]}, "actions: expected a list of names"),
        ({"digest": "00"}, "digest: the rules lead to another position"),
        ({"colour": "red"}, "colour: unknown key"),
    ],
)
def test_a_broken_file_is_refused_by_name(toy, tmp_path, change, words):
    path = tmp_path / "game.json"
    Session(ToyGame(3), 1, ["random"], seed=1).save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(ValueError, match=rf"game\.json: .*{words}"):
        Session.load(path, "toy")


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff\xfe", b"{}"])
def test_no_game_in_the_file(toy, tmp_path, content):
    path = tmp_path / "game.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"game\.json: "):
        Session.load(path, "toy")
    with pytest.raises(ValueError, match="cannot read"):
        Session.load(tmp_path / "none.json", "toy")


@pytest.mark.parametrize(
    ("seat", "opponents", "words"),
    [
        (2, ["random"], "seat: expected 0 to 1, got 2"),
        (-1, ["random"], "seat: expected 0 to 1, got -1"),
        (0, ["random"] * 2, "opponents: 2 are more than the 1 other seats"),
        (0, [], "name at least one"),
        (0, ["nobody"], "unknown agent 'nobody'"),
    ],
)
def test_a_table_that_cannot_be_set_is_refused(seat, opponents, words):
    with pytest.raises(ValueError, match=words):
        Session(ToyGame(2), seat, opponents, 0)


# The terminal


def test_a_whole_game_with_every_command_and_bad_input(tmp_path, capsys):
    session = Session(ToyGame(2), 0, ["random"], seed=2)
    path = tmp_path / "game.json"
    lines = ["help", "nonsense", "99", "take", "", "hint", "hint nobody", "hint mcts:5", "undo", "board"]
    lines += ["take:3", "undo", "1", f"save {tmp_path / 'a' / 'b.json'}", "save /proc/no/such.json"]
    said = run(session, path, *lines, UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"), *["1"] * 30)
    boards = capsys.readouterr().out
    for words in (
        "undo             back to your decision before",
        "'nonsense' is no legal action or command",
        "the numbers are 1 to 3, not 99",
        "'take' begins 3 names: take:1, take:2, take:3",
        "mcts would take take:",
        "unknown agent 'nobody'; toy has random, ppo, mcts",
        "mcts:5 would take take:",
        "there is nothing to undo",
        "  1 take:1",
        "player 1 (random): take:",
        "cannot write /proc/no/such.json",
        "The game is over: ",
        "Scores by seat: ",
    ):
        assert words in said, words
    assert session.state.is_terminal()
    assert (tmp_path / "a" / "b.json").exists()
    assert "Countdown: you are player 0" in boards
    assert not path.exists(), "a finished game is not kept"


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt])
def test_leaving_keeps_the_game(toy, tmp_path, end):
    path = tmp_path / "game.json"
    said = run(Session(ToyGame(2), 0, ["random"], seed=2), path, "1", end=end)
    assert f"go on with python -m agents.play toy --resume {path}" in said
    session = Session.load(path, "toy")
    assert [seat for seat, _ in session.moves] == [0, 1]
    said = run(session, path, "quit")
    assert "Kept" in said


def test_leaving_before_the_first_move_keeps_nothing(tmp_path):
    path = tmp_path / "game.json"
    assert "Kept" not in run(Session(ToyGame(2), 0, ["random"], seed=2), path)
    assert not path.exists()


def test_a_game_that_cannot_be_kept_is_said_to_be_lost():
    said = run(Session(ToyGame(2), 0, ["random"], seed=2), Path("/proc/no/such.json"), "1")
    assert "The game is lost: cannot write" in said


def test_the_board_hides_what_the_person_cannot_know(tmp_path, capsys):
    game = registry.game("xenon", num_players=3)
    state = played(game, 5, 40)
    seat = next(seat for seat in range(3) if seat != state.current_player())
    other = state.determinize(seat, 1)
    assert str(other) != str(state)
    assert game.draw(other, seat) == game.draw(state, seat)
    assert "unseen cards, listed with the System" in game.draw(state, seat)
    session = Session(game, 1, ["random"], seed=4)
    run(session, tmp_path / "game.json")
    shown = capsys.readouterr().out
    for line in game.draw(session.state, 1).splitlines():
        assert line in shown
    hand = next(line for line in str(session.state).splitlines() if line.startswith("    hand"))
    assert hand not in shown, "the first player's hand is in the whole board alone"


# The command


def command(monkeypatch, capsys, *arguments, lines=()):
    monkeypatch.setattr(sys, "argv", ["play", *arguments])
    monkeypatch.setattr("builtins.input", typed(*lines))
    play.main()
    return capsys.readouterr().out


def test_the_command_plays_keeps_and_goes_on(toy, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    said = command(monkeypatch, capsys, "toy", "--seed", "7", "--players", "3", "--seat", "2", lines=["1"])
    assert "--resume toy-7.json" in said
    said = command(monkeypatch, capsys, "toy", "--resume", "toy-7.json", lines=["1"] * 30)
    assert "The game is over" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess"], "error: unknown game 'chess'"),
        (["toy", "--opponents", "nobody"], "error: unknown agent 'nobody'"),
        (["toy", "--players", "9"], "error: num_players"),
        (["toy", "--seat", "5"], "error: seat: expected 0 to 1"),
        (["toy", "--seed", "-1"], "error: seed: .* at least 0"),
        (["toy", "--opponents", *["random"] * 4], "error: num_players: .* got 5"),
        (["toy", "--resume", "none.json"], "error: cannot read none.json"),
    ],
)
def test_the_command_ends_with_a_message(toy, monkeypatch, capsys, tmp_path, arguments, words):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match=words):
        command(monkeypatch, capsys, *arguments)
