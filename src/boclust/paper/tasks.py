"""Pieces of work whose results are kept in files, so that none is done twice."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from boclust._files import Rows, read_rows, write_rows

__all__ = ["Rows", "Task", "TaskStore"]


@dataclass(frozen=True)
class Task:
    """A piece of work: a description of all it depends on, and a function that does it.

    Figures that need the same task share it.
    """

    description: dict[str, Any]
    work: Callable[[], Rows]

    @cached_property
    def key(self) -> str:
        """A hash of the description, the version and the kernel sources."""
        from boclust import __version__
        from boclust._jit import sources_hash

        text = json.dumps([self.description, __version__, sources_hash()], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:20]


class TaskStore:
    """Results of finished tasks in a folder, one file per task; no file is ever half written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, task: Task) -> Path:
        """Return the file that keeps the task's result."""
        return self.folder / f"{task.key}.parquet"

    def rows(self, task: Task) -> Rows:
        """Return the task's result; do the work first if no sound file has it."""
        path = self.path(task)
        kept = read_rows(path)
        if kept is None:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_rows(path, task.work(), task.description)
            kept = read_rows(path)
            assert kept is not None
        return kept
