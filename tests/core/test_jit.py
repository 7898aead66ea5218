"""The cache of machine code: used when nothing has changed, never when something has."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.registry import cpu_target

from core import jit
from core.jit import config
from core.rng import below, seed_words
from tests.toy_game import ToyGame

ROOT = Path(__file__).parent.parent.parent

CALLEE = """
from core.jit import jit

@jit
def price(items, i):
    return items[i] * 1
"""
MAIN = """
import json, sys, warnings
from pathlib import Path
import numpy as np
from core.jit import entry
from shop.callee import price

@entry
def total(items, start, n):
    found = 0
    for i in range(start, start + n):
        found += price(items, i)
    return found

def main(start):
    items = np.array(json.loads((Path(__file__).parent / "items.json").read_text()), np.int64)
    with warnings.catch_warnings(record=True) as caught:
        result = total(items[:3], start, 3)
    print(json.dumps({"total": int(result), "hits": sum(total.stats.cache_hits.values())}))

if __name__ == "__main__":
    main(int(sys.argv[1]))
"""


class Shop:
    """A small package of its own with a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.package = folder / "shop"
        self.cache = folder / "cache"
        self.package.mkdir()
        (self.package / "__init__.py").write_text("")
        (self.package / "callee.py").write_text(CALLEE)
        (self.package / "main.py").write_text(MAIN)
        (self.package / "items.json").write_text("[1, 2, 3, 100]")

    def start(self, first: int = 0, **variables: str) -> subprocess.Popen[str]:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(self.folder)]),
            "BOARDROOM_CACHE_DIR": str(self.cache),
            "XDG_CACHE_HOME": str(self.folder / "home"),
            **variables,
        }
        return subprocess.Popen(
            [sys.executable, "-m", "shop.main", str(first)],
            env=environment, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def run(self, first: int = 0, **variables: str) -> tuple[int, int]:
        """(what the compiled function says, how often its code came from the cache)."""
        return answer(self.start(first, **variables))


def answer(process: subprocess.Popen[str]) -> tuple[int, int]:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    said = json.loads(out)
    return said["total"], said["hits"]


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def test_the_second_process_compiles_nothing(shop: Shop) -> None:
    assert shop.run() == (6, 0)
    assert shop.run() == (6, 1)


def test_an_edited_callee_in_another_file_is_seen(shop: Shop) -> None:
    assert shop.run() == (6, 0)
    (shop.package / "callee.py").write_text(CALLEE.replace("* 1", "* 7"))
    assert shop.run() == (42, 0)
    (shop.package / "callee.py").write_text(CALLEE)
    assert shop.run() == (6, 1), "the old sources find their old code"


def test_an_edited_data_file_is_seen_without_compiling(shop: Shop) -> None:
    assert shop.run() == (6, 0)
    (shop.package / "items.json").write_text("[10, 20, 30, 100]")
    assert shop.run() == (60, 1)


def test_bounds_checks_are_not_lost_on_a_warm_cache(shop: Shop) -> None:
    assert shop.run(first=1) == (105, 0), "one past the end of a view, unchecked"
    checked = shop.start(first=1, NUMBA_BOUNDSCHECK="1")
    assert "IndexError" in checked.communicate(timeout=120)[1] and checked.returncode != 0
    assert shop.run(NUMBA_BOUNDSCHECK="1")[0] == 6
    assert shop.run(first=1) == (105, 1)


def test_two_processes_may_compile_at_once(shop: Shop) -> None:
    together = [shop.start(), shop.start()]
    assert [answer(process)[0] for process in together] == [6, 6]
    assert shop.run() == (6, 1)


def test_without_jit(shop: Shop) -> None:
    process = shop.start(NUMBA_DISABLE_JIT="1")
    _, err = process.communicate(timeout=120)
    assert "stats" in err, "the plain function is called: it has no statistics"
    assert not shop.cache.exists()


def test_an_unusable_directory_is_replaced(shop: Shop) -> None:
    shop.cache.write_text("a file, not a directory")
    process = shop.start()
    _, err = process.communicate(timeout=120)
    assert process.returncode == 0 and "not a writable directory" in err
    assert list((shop.folder / "home").rglob("*.nbi"))
    assert shop.cache.read_text() == "a file, not a directory"


def test_no_usable_directory_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(jit.CACHE_VARIABLE, raising=False)
    monkeypatch.setattr(jit, "_is_usable", lambda directory: False)
    with pytest.warns(UserWarning, match="compiled anew"):
        assert jit.cache_root.__wrapped__() is None
    monkeypatch.setattr(jit, "cache_root", lambda: None)
    assert jit.cache_directory(double) is None
    assert jit.entry(double)(21) == 42


def test_a_directory_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*args: object, **settings: object) -> None:
        raise PermissionError("read-only file system")

    monkeypatch.setattr(jit, "cache_root", lambda: tmp_path)
    monkeypatch.setattr(Path, "mkdir", refuse)
    assert jit.cache_directory(double) is None
    assert not jit._is_usable(tmp_path / "new")


def double(x):
    return 2 * x


def test_old_directories_are_pruned(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(jit, "cache_root", lambda: tmp_path)
    day = jit.KEPT_SECONDS
    for age in range(jit.KEPT_DIRECTORIES + 4):
        old = tmp_path / f"tests-{age:02}"
        old.mkdir()
        os.utime(old, (time.time() - 2 * day - age,) * 2)
    for name in ("tests-today", "another-game"):
        (tmp_path / name).mkdir()
    os.utime(tmp_path / "another-game", (0, 0))
    current = jit.cache_directory(double)
    assert current is not None and current.parent == tmp_path
    left = {directory.name for directory in tmp_path.iterdir()}
    kept = {f"tests-{age:02}" for age in range(jit.KEPT_DIRECTORIES - 1)}
    assert left == kept | {"tests-today", "another-game", current.name}


def test_kernels_bound_to_a_game_are_cached(tmp_path: Path) -> None:
    code = """
import numpy as np
from tests.toy_game import ToyGame
game = ToyGame(2)
out = np.zeros(game.observation_size, np.float32)
game.kernels.observe_one(game.blank, game.tables, 0, out)
print(sum(game.kernels.observe_one.stats.cache_hits.values()))
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "BOARDROOM_CACHE_DIR": str(tmp_path)}
    hits = [
        subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert [line.strip() for line in hits] == ["0", "1"]
    assert all(directory.name.startswith("toy_game-") for directory in tmp_path.iterdir())


def test_the_notice_comes_once_and_only_before_compiling(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kernels = ToyGame.kernels
    for attempt in range(2):
        monkeypatch.setattr("core.batch.cache_directory", lambda *_: tmp_path)
        kernels._announced = attempt > 0
        kernels.announce()
    assert capsys.readouterr().err.count("compiling") == 1
    (tmp_path / "play_one.nbi").write_text("")
    kernels._announced = False
    kernels.announce()
    assert capsys.readouterr().err == ""


def test_every_kernel_runs_on_its_own_buffers() -> None:
    """A kernel is called with the same types by every API, so nothing is compiled twice."""
    game = ToyGame(2)
    game.new_initial_state(0).apply_action(0)
    vector = game.vector(2, seed=0)
    vector.step(np.zeros(2, np.int32))
    vector.play_random(5)
    for name in ("play_one", "step_batch"):
        assert len(getattr(game.kernels, name).signatures) == 1, name


def test_an_inner_function_refuses_python() -> None:
    if config.DISABLE_JIT:
        pytest.skip("without JIT it is a Python function")
    with pytest.raises(TypeError, match=r"below is called by compiled code"):
        below(seed_words(0), 6)


def test_only_entries_become_machine_code() -> None:
    if config.DISABLE_JIT:
        pytest.skip("without JIT there is no code")

    def is_machine_code(function: Any) -> bool:
        function.compile((numba.int64,))
        name = function.overloads[(numba.int64,)].fndesc.llvm_func_name
        return bool(cpu_target.target_context.codegen()._engine.is_symbol_defined(name))

    assert is_machine_code(jit.entry(double))
    assert not is_machine_code(jit.jit(double))


def test_inner_functions_of_both_modes_share_operators() -> None:
    def plain(n: int) -> int:
        total = 0
        for k in range(n):
            total += k * k
        return total

    def with_arrays(n: int) -> int:
        squares = np.array([k * k for k in range(n)])
        return (squares + squares).sum() - squares.sum()

    first, second, third = jit.jit(plain), jit.jit(with_arrays, arrays=True), jit.jit(plain)

    def all_three(n: int) -> tuple[int, int, int]:
        return first(n), second(n), third(n)

    assert jit.entry(all_three)(5) == (30, 30, 30)


def test_direct_calls_give_the_same() -> None:
    compiled = jit.entry(double)
    assert jit.direct(compiled) is compiled, "nothing is compiled yet"
    assert compiled(21) == 42
    assert jit.direct(compiled) is not compiled and jit.direct(compiled)(21) == 42
    compiled(1.5)
    assert jit.direct(compiled) is compiled, "the types must be looked at when there are several"
    assert jit.direct(double) is double
