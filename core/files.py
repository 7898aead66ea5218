"""Files that are either written whole or left as they were."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

__all__ = ["write_bytes", "write_json", "write_text"]


def write_bytes(path: str | Path, data: bytes) -> None:
    """Put ``data`` into the file at ``path``, at once: no reader ever sees half of it.

    Raises:
        ValueError: the file cannot be written there; the message says why.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise ValueError(f"cannot write {path}: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except OSError as error:
        os.unlink(name)
        raise ValueError(f"cannot write {path}: {error.strerror}") from None


def write_text(path: str | Path, text: str) -> None:
    """The same for text, in UTF-8."""
    write_bytes(path, text.encode())


def write_json(path: str | Path, data: Any) -> None:
    """Put ``data`` into the file at ``path`` as JSON with an indent of one space; see ``write_text``."""
    write_text(path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")
