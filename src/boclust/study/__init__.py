"""Durable live studies: an event log on SQLite or PostgreSQL, and what follows from it."""

from boclust.study.charts import Dendrogram, Picture, Proportions
from boclust.study.errors import (
    BusyError,
    ConflictError,
    CorruptError,
    DiskFullError,
    NewerSchemaError,
    NothingToAskError,
    OlderSchemaError,
    ReadOnlyError,
    ServerLostError,
    StorageError,
    StudyError,
    StudyExistsError,
    StudyNotFoundError,
    StudyPausedError,
    StudyStoppedError,
)
from boclust.study.replay import Verification
from boclust.study.status import Ask, Status
from boclust.study.study import Study
from boclust.study.trace import Trace

__all__ = [
    "Ask",
    "BusyError",
    "ConflictError",
    "CorruptError",
    "Dendrogram",
    "DiskFullError",
    "NewerSchemaError",
    "NothingToAskError",
    "OlderSchemaError",
    "Picture",
    "Proportions",
    "ReadOnlyError",
    "ServerLostError",
    "Status",
    "StorageError",
    "Study",
    "StudyError",
    "StudyExistsError",
    "StudyNotFoundError",
    "StudyPausedError",
    "StudyStoppedError",
    "Trace",
    "Verification",
]
