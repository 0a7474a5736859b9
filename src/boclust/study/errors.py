"""The errors of studies, one class per case that a program may want to handle.

Invalid arguments raise ``boclust.InvalidInputError`` (a ``ValueError``) instead. A call that raises
has written nothing, unless the message says that this is unknown.
"""


class StudyError(RuntimeError):
    """The base class of all errors of studies."""

    #: The index of the observation that caused the error, if ``tell_many`` raised it.
    observation: int | None = None


class StudyNotFoundError(StudyError):
    """There is no study, ask or event with that name or number."""


class StudyExistsError(StudyError):
    """A study with that name exists already."""


class ConflictError(StudyError):
    """The call contradicts the log: its key or ask was used for another observation."""


class StudyStoppedError(StudyError):
    """The study has ended and asks for nothing more; ``how`` says how, as in its status."""

    def __init__(self, message: str, how: str) -> None:
        super().__init__(message)
        self.how = how


class StudyPausedError(StudyError):
    """The study is paused: it accepts values but does not ask for any."""


class NothingToAskError(StudyError):
    """The pending asks fill the present round or the budget."""


class StorageError(StudyError):
    """The database refused an operation."""


class BusyError(StorageError):
    """The database stayed locked for longer than a call waits."""


class DiskFullError(StorageError):
    """The disk of the database is full."""


class ReadOnlyError(StorageError):
    """The database is read-only."""


class ServerLostError(StorageError):
    """The server cannot be reached, or the connection to it broke."""


class CorruptError(StorageError):
    """The file is not a database of studies, or it is damaged."""


class OlderSchemaError(StorageError):
    """The database has an older schema: upgrade it with ``Study.upgrade(url)``."""


class NewerSchemaError(StorageError):
    """The database was made by a newer version of boclust."""
