"""What the JSON file of a checkpoint, or of rules, tells of how it was made."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

__all__ = ["command", "read_story", "told"]

PACKAGES = ("boardroom-envs", "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "cma")


def command() -> str:
    """The command line that runs now, as anyone would type it."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    module = spec.name.removesuffix(".__main__") if spec is not None else "agents"
    return " ".join(["python", "-m", module, *sys.argv[1:]])


def told(
    settings: Mapping[str, Any], facts: Mapping[str, Any], before: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Settings, versions and facts of a training, after the commands of what it went on from.

    Args:
        settings: all of them, those by default too.
        facts: steps, wall time, results.
        before: the sidecar of the network that the training began with.
    """
    return {
        "commands": [*(before or {}).get("commands", []), command()],
        "settings": {name: str(value) if hasattr(value, "parts") else value for name, value in settings.items()},
        "versions": {"python": platform.python_version(), **{name: _version(name) for name in PACKAGES}},
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        **facts,
    }


def read_story(path: Path, what: str) -> dict[str, Any]:
    """The object in a JSON file.

    Args:
        path: of the file.
        what: it is, for the message.

    Raises:
        ValueError: the file cannot be read, or does not hold an object.
    """
    try:
        story = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{what} {path}: {error.strerror}") from None
    except ValueError:
        raise ValueError(f"{what} {path}: this is not JSON") from None
    if not isinstance(story, dict):
        raise ValueError(f"{what} {path}: expected an object")
    return story


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"
