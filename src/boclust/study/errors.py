"""What can go wrong with a study, one class for each thing a program may want to tell apart.

Arguments that are not accepted raise ``boclust.InvalidInputError`` (a ``ValueError``) instead.
Whatever is raised, nothing was written, unless the message says that this is not known.
"""


class StudyError(RuntimeError):
    """Something that a study cannot do; all errors below are of this kind."""

    #: Of many observations that were told together: which one it is about.
    observation: int | None = None


class StudyNotFoundError(StudyError):
    """There is no study, ask or event of that name or number."""


class StudyExistsError(StudyError):
    """There is already a study of that name."""


class ConflictError(StudyError):
    """It contradicts what has been recorded: a key or an ask that was told something else."""


class StudyStoppedError(StudyError):
    """The study has ended and asks for nothing more; ``how`` it ended, as in its status."""

    def __init__(self, message: str, how: str) -> None:
        super().__init__(message)
        self.how = how


class StudyPausedError(StudyError):
    """The study is paused: values may be told, nothing is asked for."""


class NothingToAskError(StudyError):
    """All that may be asked for now is out already: the rest of a round, or of the budget."""


class StorageError(StudyError):
    """The database could not do what was asked of it."""


class BusyError(StorageError):
    """Others kept the study locked for longer than a call waits."""


class DiskFullError(StorageError):
    """No room is left where the database is."""


class ReadOnlyError(StorageError):
    """The database may be read but not written."""


class ServerLostError(StorageError):
    """The database server cannot be reached, or went away."""


class CorruptError(StorageError):
    """The file is no database of studies, or damaged."""


class OlderSchemaError(StorageError):
    """The database was made by an older version: ``Study.upgrade(url)`` brings it up to date."""


class NewerSchemaError(StorageError):
    """The database was made by a newer version of boclust than this one."""
