"""The notebooks as they are committed. That they run is tested by nbmake, with budgets from the cells' metadata."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
MOST_BYTES = 600_000
MACHINE_PATH = re.compile(r"/(home|root|Users|tmp|usr|opt|var|mnt|work)/|\b[A-Z]:\\|site-packages")

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def code_cells(path: Path) -> list[dict[str, Any]]:
    return [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]


def test_the_readme_lists_every_notebook() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\(notebooks/(\w+)\.ipynb\)", readme)) == {path.stem for path in NOTEBOOKS} != set()


@every_notebook
def test_committed_with_clean_outputs(path: Path) -> None:
    assert path.stat().st_size < MOST_BYTES
    cells = code_cells(path)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1)), "run anew, from top to bottom"
    assert any("image/png" in output.get("data", {}) for cell in cells for output in cell["outputs"])
    for cell in cells:
        assert "execution" not in cell["metadata"], "time stamps make every run a change"
        for output in cell["outputs"]:
            assert output["output_type"] != "error" and output.get("name") != "stderr", output
            texts = [output.get("text", []), *(v for k, v in output.get("data", {}).items() if k.startswith("text/"))]
            assert not MACHINE_PATH.search("".join(line for text in texts for line in text))


@every_notebook
def test_budgets_of_tests_replace_those_of_the_cell(path: Path) -> None:
    for cell in code_cells(path):
        mocks = cell["metadata"].get("nbmake", {}).get("mock", {})
        if not mocks:
            continue
        values = {
            target.id: ast.literal_eval(statement.value)
            for statement in ast.parse("".join(cell["source"])).body
            if isinstance(statement, ast.Assign)
            for target in statement.targets
            if isinstance(target, ast.Name) and target.id in mocks
        }
        assert values.keys() == mocks.keys(), "a mock of what the cell does not set would change nothing"
        for name, mock in mocks.items():
            assert type(mock) is type(values[name]) and mock != values[name]
            assert not isinstance(mock, int) or 0 < mock < values[name]


def notebook(directory: Path, last_line: str) -> Path:
    cells = [
        {"source": "budget = 1000", "metadata": {"nbmake": {"mock": {"budget": 3}}}},
        {"source": last_line, "metadata": {}},
    ]
    for cell in cells:
        cell |= {"cell_type": "code", "execution_count": None, "outputs": []}
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    path = directory / "example.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 4}))
    return path


@pytest.mark.parametrize(("last_line", "outcome"), [("assert budget == 3", "1 passed"), ("1 / 0", "1 failed")])
def test_the_settings_of_pytest_run_notebooks(tmp_path: Path, last_line: str, outcome: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", str(ROOT / "pyproject.toml")]
    done = subprocess.run(
        [*command, str(notebook(tmp_path, last_line))], cwd=ROOT, capture_output=True, text=True, timeout=600
    )
    assert outcome in done.stdout, done.stdout + done.stderr
    assert done.returncode == (outcome != "1 passed")
