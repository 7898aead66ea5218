"""Timing: amounts, order and medians."""

import json
import time

import pytest

from benchmarks import measure
from benchmarks.measure import Task, Timing, interleave, machine
from core.files import write_json


def test_rate_and_ratio_are_medians():
    timing, floor = Timing([10.0, 40.0, 20.0]), Timing([10.0, 20.0, 40.0])
    assert timing.rate == 20.0
    assert timing.ratio(floor) == 1.0  # of 1, 2 and 0.5


def test_tasks_are_timed_in_turn():
    order = []

    def work(key):
        def run(rounds):
            begun = measure.clock()
            while measure.clock() - begun < 1e-3 * rounds:
                pass
            order.append(key)
            return rounds

        return run

    heard = []
    timings = interleave([Task("a", work("a")), Task("b", work("b"))], 0.06, 3, lambda: heard.append(1))
    assert order[-6:] == ["a", "b"] * 3
    assert len(heard) == 3
    for timing in timings.values():
        assert len(timing.rates) == 3
        assert timing.rate == pytest.approx(1000, rel=0.2)


def test_work_of_others_is_not_counted():
    if not measure.CPU_CLOCK:
        pytest.skip("no fine CPU clock here")

    def sleep(rounds):
        time.sleep(0.001 * rounds)
        return sum(range(1000 * rounds)) and rounds

    assert interleave([Task("s", sleep)], 0.002, 1)["s"].rate > 2000


def test_the_machine_is_described():
    described = machine()
    assert described["cores"] >= 1
    assert described["versions"]["numpy"] == __import__("numpy").__version__
    json.dumps(described)


def test_json_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "new" / "figures.json"
    write_json(path, {"a": 1})
    assert json.loads(path.read_text()) == {"a": 1}
    with pytest.raises(TypeError):
        write_json(path, {"a": object()})
    assert json.loads(path.read_text()) == {"a": 1}
    assert [p.name for p in path.parent.iterdir()] == ["figures.json"]


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match=r"cannot write .*figures"):
        write_json(tmp_path / "file" / "figures.json", {})
    with pytest.raises(ValueError, match="cannot write"):
        write_json(tmp_path, {})
