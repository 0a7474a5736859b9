"""What can be seen of a study, without changing it."""

from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self

from sqlalchemy.engine import Connection

from boclust._validate import integer
from boclust.learner import Explanation
from boclust.study import export, log, making
from boclust.study.events import shown_event
from boclust.study.session import Session
from boclust.study.spec import Arm
from boclust.study.state import State
from boclust.study.status import Status, status_of
from boclust.study.store import store
from boclust.study.verify import Verification, verify

Rows = list[dict[str, Any]]


class View:
    """The half of ``Study`` that reads."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._blank = session.spec.learner()

    @property
    def name(self) -> str:
        """The name of the study."""
        return self._session.name

    @property
    def arms(self) -> tuple[Arm, ...]:
        """The arms, with costs and tags."""
        return self._session.spec.arms

    def status(self) -> Status:
        """Clusters, progress, what is still needed, arms, asks and the guarantee.

        >>> import boclust
        >>> study = boclust.Study.create("sqlite://", "looks", ["a", "b", "c"], 2, 0.1)
        >>> _ = study.tell_many([("a", 0.1), ("b", 0.2), ("c", 7.0)])
        >>> status = study.status()
        >>> status.clusters, status.guarantee
        ([['a', 'b'], ['c']], 'none: the certificate does not hold yet')
        """
        session = self._session

        def work(connection: Connection, state: State) -> Status:
            now = max(session.store.now(connection), state.time)
            asks = (session.ask(seq, *held) for seq, held in state.live(now).items())
            return status_of(self.name, state, tuple(asks))

        return session.read(work)

    def explain(self) -> Explanation:
        """Why the next arm is the next, and how far the certificate is, with the arms' names.

        >>> import boclust
        >>> study = boclust.Study.create("sqlite://", "explains", ["a", "b", "c"], 2, 0.1)
        >>> study.explain().text
        "Sample arm 'a': every arm needs one sample first."
        """
        session = self._session

        def work(connection: Connection, state: State) -> Explanation:
            learner = state.learner.copy()
            learner.pending = state.pending(max(session.store.now(connection), state.time))
            return learner.explain([repr(arm.name) for arm in self.arms])

        return session.read(work)

    def history(self, after: int = 0) -> Iterator[dict[str, Any]]:
        """The events after a number, as dictionaries, read a page at a time.

        >>> import boclust
        >>> study = boclust.Study.create("sqlite://", "told", ["a", "b", "c"], 2, 0.1)
        >>> _ = study.tell("c", 2.5, key="k")
        >>> [(e["seq"], e["kind"], e["arm"], e["value"], e["key"]) for e in study.history(1)]
        [(2, 'told', 'c', 2.5, 'k')]
        """
        session = self._session
        names = [arm.name for arm in self.arms]
        for page in session.pages(integer("after", after, 0, log.END)):
            for event in page:
                yield shown_event(event, names, session.ask_id)

    def export(self, path: Any) -> int:
        """Write the values to a .csv or .parquet file, which appears whole; returns how many.

        >>> import tempfile, pathlib
        >>> import boclust
        >>> study = boclust.Study.create("sqlite://", "exports", ["a", "b", "c"], 2, 0.1)
        >>> _ = study.tell("c", 2.5)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     study.export(pathlib.Path(folder) / "values.csv")
        1
        """
        upto = self._session.read(lambda _, state: state.seq)
        return export.export(self._session, path, upto)

    def verify(self) -> Verification:
        """Replay the log and compare with the snapshot and the state in use, bit for bit.

        >>> import boclust
        >>> study = boclust.Study.create("sqlite://", "verifies", ["a", "b", "c"], 2, 0.1)
        >>> study.verify().ok
        True
        """
        return self._session.store.read(lambda connection: verify(self._session, connection))

    def close(self) -> None:
        """Let go of the connection; the next call takes a new one.

        >>> import boclust
        >>> with boclust.Study.create("sqlite://", "closes", ["a", "b"], 1, 0.1) as study:
        ...     study.status().state
        'certified'
        """
        self._session.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @staticmethod
    def list(url: str) -> Rows:
        """The studies of a database: ``name``, number of ``events`` and time of the ``last``.

        >>> import boclust
        >>> _ = boclust.Study.create("sqlite://", "listed", ["a", "b", "c"], 2, 0.1)
        >>> "listed" in [study["name"] for study in boclust.Study.list("sqlite://")]
        True
        """
        return making.names(store(url, must_exist=True))
