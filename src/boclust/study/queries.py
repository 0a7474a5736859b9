"""The half of ``Study`` that only reads."""

from collections.abc import Iterator
from typing import Any

from boclust._closing import Closing
from boclust._validate import integer
from boclust.run.learner import Explanation
from boclust.study import create, export, log
from boclust.study.charts import Picture, Proportions, picture_of, proportions_of
from boclust.study.events import Record
from boclust.study.replay import Verification, verify
from boclust.study.session import Session
from boclust.study.spec import Arm
from boclust.study.status import Status, status_of
from boclust.study.storage.store import store
from boclust.study.trace import Trace, trace_of

Rows = list[dict[str, Any]]


class Queries(Closing):
    """The calls of ``Study`` that change nothing."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._blank = session.spec.learner()

    @property
    def name(self) -> str:
        """The name of the study."""
        return self._session.name

    @property
    def arms(self) -> tuple[Arm, ...]:
        """The arms, with their costs and tags."""
        return self._session.spec.arms

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the study as plain data; ``id`` is its number in the database.

        The ``name`` of the algorithm is None if its pair of rules has no name, or has options.

        >>> import boclust
        >>> study = boclust.Study.create("sqlite://", "plain", ["a", "b", "c"], 2, 0.1)
        >>> study.parameters["family"]
        {'name': 'gaussian', 'sigma': 1.0}
        >>> study.parameters["algorithm"]["name"], study.parameters["algorithm"]["stopping"]
        ('span', 'local-directional')
        """
        data = self._session.spec.to_dict()
        del data["token"], data["rule"]
        data["algorithm"] = {
            "name": self._session.spec.algorithm.name,
            **data["algorithm"],
            "stopping": self._blank.stopping,
        }
        return {"id": self._session.number, "name": self.name, **data}

    def status(self) -> Status:
        """The clusters, the progress, what the certificate still needs, and the guarantee.

        >>> import boclust
        >>> study = boclust.Study.create("sqlite://", "status", ["a", "b", "c"], 2, 0.1)
        >>> _ = study.tell_many([("a", 0.1), ("b", 0.2), ("c", 7.0)])
        >>> status = study.status()
        >>> status.clusters, status.guarantee
        ([['a', 'b'], ['c']], 'none: the certificate does not hold yet')
        """
        session = self._session
        state, now = session.copied_state()
        asks = (session.public_ask(*one) for one in state.pending_asks(now).items())
        return status_of(self.name, state, tuple(asks))

    def explain(self) -> Explanation:
        """Why the study asks for this arm next, and how far the certificate is.

        >>> import boclust
        >>> study = boclust.Study.create("sqlite://", "explains", ["a", "b", "c"], 2, 0.1)
        >>> study.explain().text
        "Sample arm 'a': every arm needs one sample first."
        """
        state, now = self._session.copied_state()
        state.learner.pending = state.pending_counts(now)
        return state.learner.explain([repr(arm.name) for arm in self.arms])

    def picture(self) -> Picture:
        """The arms as points with confidence regions, and the dendrogram of their estimates.

        >>> import boclust
        >>> study = boclust.Study.create("sqlite://", "draws", ["a", "b", "c"], 2, 0.1)
        >>> _ = study.tell_many([("a", 0.0), ("b", 7.0), ("c", 1.0)])
        >>> picture = study.picture()
        >>> picture.points, picture.dendrogram.order, picture.dendrogram.merges
        ([[0.0], [7.0], [1.0]], [0, 2, 1], [(0, 2, 1.0, 2), (3, 1, 6.0, 3)])
        """
        return picture_of(self._session.copied_state()[0].learner)

    def trace(self) -> Trace:
        """The evidence over time: at most 2,000 points, evenly spaced in samples.

        >>> import boclust
        >>> study = boclust.Study.create("sqlite://", "traces", ["a", "b", "c"], 2, 0.1)
        >>> _ = study.tell_many([("a", 0.0), ("b", 7.0), ("c", 1.0)])
        >>> trace = study.trace()
        >>> trace.samples, trace.cost, trace.evidence[:2]
        ([1, 2, 3], [1.0, 2.0, 3.0], [None, None])
        """
        points = self._session.read(lambda state: list(state.trace.points))
        return trace_of(points, self._blank.threshold)

    def proportions(self) -> Proportions:
        """The share of each arm so far, and the optimal one for the present estimates.

        >>> import boclust
        >>> study = boclust.Study.create("sqlite://", "shares", ["a", "b", "c"], 2, 0.1)
        >>> _ = study.tell_many([("a", 0.0), ("b", 7.0)])
        >>> study.proportions()
        Proportions(pulls=[0.5, 0.5, 0.0], optimal=None, reason='not every arm has a sample yet')
        """
        return proportions_of(self._session.copied_state()[0].learner)

    def history(self, after: int = 0, limit: int | None = None) -> Iterator[dict[str, Any]]:
        """At most ``limit`` events after number ``after``, as dictionaries, read page by page.

        >>> import boclust
        >>> study = boclust.Study.create("sqlite://", "told", ["a", "b", "c"], 2, 0.1)
        >>> _ = study.tell("c", 2.5, key="k")
        >>> [(e["seq"], e["kind"], e["arm"], e["value"], e["key"]) for e in study.history(1)]
        [(2, 'told', 'c', 2.5, 'k')]
        """
        session = self._session
        names = [arm.name for arm in self.arms]
        first = integer("after", after, 0, log.END)
        most = log.END if limit is None else integer("limit", limit, 1)
        for page in session.pages(first, limit=most):
            for event in page:
                yield vars(Record.of(event, names, session.ask_id))

    def export(self, path: Any) -> int:
        """Write the values to a .csv or .parquet file; returns their number.

        The file appears only when it is complete.

        >>> import tempfile, pathlib
        >>> import boclust
        >>> study = boclust.Study.create("sqlite://", "exports", ["a", "b", "c"], 2, 0.1)
        >>> _ = study.tell("c", 2.5)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     study.export(pathlib.Path(folder) / "values.csv")
        1
        """
        upto, count = self._session.read(lambda state: (state.seq, sum(state.told)))
        export.export(self._session, path, upto)
        return count

    def export_csv(self) -> Iterator[str]:
        """The text that ``export`` writes to a .csv file, in pieces.

        >>> import boclust
        >>> study = boclust.Study.create("sqlite://", "streams", ["a", "b", "c"], 2, 0.1)
        >>> "".join(study.export_csv())
        'seq,time,arm,value,status,client,key,ask,metadata\\n'
        """
        return export.csv_text(self._session, self._session.read(lambda state: state.seq))

    def plot(self, path: Any = None) -> Any:
        """A Matplotlib figure of the arms with their regions, and of the evidence so far.

        With a path, the figure is saved there. With probability 1 - delta, the regions hold for all
        arms at all times.

        >>> import boclust
        >>> study = boclust.Study.create("sqlite://", "plots", ["a", "b", "c"], 2, 0.1)
        >>> _ = study.tell_many([("a", 0.1), ("b", 0.2), ("c", 7.0)])
        >>> [axes.get_xlabel() for axes in study.plot().axes]
        ['estimated mean', 'samples']
        """
        from boclust.plots.arms import draw_study
        from boclust.plots.style import saved

        learner = self._session.read(lambda state: state.learner.copy())
        names = [arm.name for arm in self.arms]
        return saved(draw_study(self.name, names, learner, self.trace()), path)

    def verify(self) -> Verification:
        """Replay the log and compare with the snapshot and the state in use, bit for bit.

        >>> import boclust
        >>> study = boclust.Study.create("sqlite://", "verifies", ["a", "b", "c"], 2, 0.1)
        >>> study.verify().ok
        True
        """
        session = self._session
        return session.store.read(
            lambda connection: verify(
                connection, session.number, session.spec, lambda: session.state(connection)
            )
        )

    def close(self) -> None:
        """Close the connection; the next call opens a new one.

        >>> import boclust
        >>> with boclust.Study.create("sqlite://", "closes", ["a", "b"], 1, 0.1) as study:
        ...     study.status().state
        'certified'
        """
        self._session.store.close()

    @staticmethod
    def list(url: str) -> Rows:
        """The studies of a database: ``name``, number of ``events`` and time of the ``last``.

        >>> import boclust
        >>> _ = boclust.Study.create("sqlite://", "listed", ["a", "b", "c"], 2, 0.1)
        >>> "listed" in [study["name"] for study in boclust.Study.list("sqlite://")]
        True
        """
        return create.list_studies(store(url, must_exist=True))
