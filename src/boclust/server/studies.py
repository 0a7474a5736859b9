"""The studies that a server keeps open, and their names in URL paths."""

import re
import threading
from collections import OrderedDict

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from boclust._data import in_path
from boclust.server.schemas import StudySummary
from boclust.study import Study, StudyNotFoundError, log
from boclust.study.events import iso
from boclust.study.storage.schema import check_schema, prepare
from boclust.study.storage.store import store
from boclust.study.storage.tables import studies as table

#: The largest number of open studies: each has a connection to the database.
MOST = 64
#: The largest number of cached summaries; each is valid until its study has another event.
_MOST_SUMMARIES = 2000
_NAME = sa.select(table.c.name).where(table.c.id == sa.bindparam("number"))


def segment(name: str, number: int) -> str:
    """A study in a URL path: its name, or ~NUMBER if a path with the name could be misread."""
    return in_path(name) or f"~{number}"


class Studies:
    """The studies of one database, each opened at its first use."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.store = store(url, must_exist=False)
        prepare(self.store)
        self._open: OrderedDict[str, Study] = OrderedDict()
        self._summaries: OrderedDict[tuple[int, int], StudySummary] = OrderedDict()
        self._lock = threading.Lock()

    def check(self) -> None:
        """Raise an error if the database does not answer or has another schema."""
        self.store.read(check_schema)

    def name_of(self, path: str) -> str:
        """The name of the study that a path segment means; the study need not exist."""
        number = path.removeprefix("~")
        if number == path:
            return path
        found = None
        if re.fullmatch("[0-9]{1,9}", number):
            found = self.store.read(lambda c: c.execute(_NAME, {"number": int(number)}).scalar())
        if found is None:
            raise StudyNotFoundError(f"there is no study {path!r}")
        return str(found)

    def open(self, name: str) -> Study:
        """The study with that name; may close the least recently used one."""
        with self._lock:
            if name in self._open:
                self._open.move_to_end(name)
                return self._open[name]
        return self.keep(Study.open(self.url, name))

    def keep(self, study: Study) -> Study:
        """Keep a newly opened study, unless another thread has opened it meanwhile."""
        dropped: list[Study] = []
        with self._lock:
            kept = self._open.setdefault(study.name, study)
            if kept is not study:
                dropped.append(study)
            while len(self._open) > MOST:
                dropped.append(self._open.popitem(last=False)[1])
        for one in dropped:
            one.close()
        return kept

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            opened, self._open = list(self._open.values()), OrderedDict()
        for study in opened:
            study.close()
        self.store.close()

    def page(self, after: str, limit: int, only: frozenset[str] | None) -> list[StudySummary]:
        """The summaries of the next studies by name; of ``only`` these, if given."""
        wanted = sa.select(table.c.id, table.c.name).where(table.c.name > after)
        if only is not None:
            wanted = wanted.where(table.c.name.in_(only))
        wanted = wanted.order_by(table.c.name).limit(limit)

        def work(connection: Connection) -> list[tuple[int, str, int, int]]:
            found = []
            for number, name in connection.execute(wanted).all():
                last = log.at(connection, number, log.length(connection, number))
                if last is not None:
                    found.append((number, name, last.seq, last.time))
            return found

        return [self._summary(*row) for row in self.store.read(work)]

    def _summary(self, number: int, name: str, events: int, last: int) -> StudySummary:
        with self._lock:
            known = self._summaries.get((number, events))
        if known is None:
            status = self.open(name).status()
            known = StudySummary(
                name=name,
                path=segment(name, number),
                state=status.state,
                progress=status.progress,
                samples=status.samples,
                cost=status.cost,
                n_arms=len(status.arms),
                n_clusters=status.n_clusters,
                delta=status.delta,
                events=events,
                last=iso(last),
                remaining_samples=status.remaining_samples,
            )
            with self._lock:
                self._summaries[number, events] = known
                while len(self._summaries) > _MOST_SUMMARIES:
                    self._summaries.popitem(last=False)
        return known
