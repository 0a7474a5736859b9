"""Whether the log is whole, and the state in use is the one that it determines."""

from dataclasses import dataclass

from sqlalchemy.engine import Connection

from boclust.study import log, snapshot
from boclust.study.errors import CorruptError
from boclust.study.replay import replayed
from boclust.study.session import Session


@dataclass(frozen=True)
class Verification:
    """What a replay of the log found; ``ok`` where there is no problem.

    ``snapshot`` is "equal" where it is what the replay gives, bit for bit, else why it was not
    compared or that it differs.
    """

    events: int
    samples: int
    snapshot: str
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether all is as it should be."""
        return not self.problems


def verify(session: Session, connection: Connection) -> Verification:
    """Replay the log twice: up to the snapshot, and to its end."""
    problems = []
    found = "none"
    try:
        if (saved := snapshot.find(connection, session.number)) is not None:
            found = saved.problem or "was not compared"
            if not saved.problem:
                then = replayed(connection, session.number, session.spec, saved.seq)
                same = then.seq == saved.seq and snapshot.dump(then) == saved.state
                found = "equal" if same else "differs from what the log gives"
            if found != "equal" and saved.version == snapshot.VERSION:
                problems.append(f"the snapshot after event {saved.seq} {found}")
        state = session.state(connection)
        now = replayed(connection, session.number, session.spec, state.seq)
        if snapshot.dump(now) != snapshot.dump(state):
            problems.append("the state in use differs from what the log gives")
    except CorruptError as error:
        problems.append(str(error))
    events, told = log.length(connection, session.number), log.told(connection, session.number)
    return Verification(events, told, found, tuple(problems))
