"""What the sidecar of a checkpoint tells of how it was made."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import metadata
from typing import Any

__all__ = ["command", "told"]

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


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"
