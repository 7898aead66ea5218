"""The same games without JIT, and with bounds checks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.suite import CASES, Case, every_case
from tests.walks import fingerprint

ROOT = Path(__file__).parent.parent
SMALL = [case for case in CASES if case.name == "toy"]
LARGE = [case for case in CASES if case.name != "toy"]


def elsewhere(cases: list[Case], decisions: int, **variables: str) -> dict[str, str]:
    """The fingerprints from a process with other environment variables."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    command = [sys.executable, "-W", "error", "-m", "tests.walks", str(decisions), *map(str, cases)]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    result: dict[str, str] = json.loads(done.stdout)
    return result


def here(cases: list[Case], decisions: int) -> dict[str, str]:
    return {str(case): fingerprint(case.game(), decisions) for case in cases}


def test_without_jit_toy() -> None:
    assert elsewhere(SMALL, 200, NUMBA_DISABLE_JIT="1") == here(SMALL, 200)


def test_with_bounds_checks_toy() -> None:
    assert elsewhere(SMALL, 2000, NUMBA_BOUNDSCHECK="1") == here(SMALL, 2000)


@pytest.mark.long
@pytest.mark.skipif(not LARGE, reason="no game is installed")
def test_without_jit() -> None:
    assert elsewhere(LARGE, 150, NUMBA_DISABLE_JIT="1") == here(LARGE, 150)


@pytest.mark.long
@pytest.mark.skipif(not LARGE, reason="no game is installed")
def test_with_bounds_checks() -> None:
    assert elsewhere(LARGE, 80_000, NUMBA_BOUNDSCHECK="1") == here(LARGE, 80_000)


@every_case
def test_a_fingerprint_sees_the_seed(case: Case) -> None:
    assert fingerprint(case.game(), 50, seed=1) != fingerprint(case.game(), 50, seed=2)
