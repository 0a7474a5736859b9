"""The studies that a server has open, and how they are called in a path."""

import re
import threading
from collections import OrderedDict
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from boclust._data import in_path
from boclust.study import Study, StudyNotFoundError, log
from boclust.study.events import iso
from boclust.study.making import upgrade
from boclust.study.schema import check_schema
from boclust.study.store import store
from boclust.study.tables import studies as table

#: Studies that are kept open: each has a connection to the database.
MOST = 64
#: Summaries that are kept, each good until its study has another event.
_MOST_SUMMARIES = 2000
_NAME = sa.select(table.c.name).where(table.c.id == sa.bindparam("number"))


def segment(name: str, number: int) -> str:
    """A study in a path: its name, or ~NUMBER where that might be taken for something else."""
    return in_path(name) or f"~{number}"


class Studies:
    """Every study of one database, opened when it is first used."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.store = store(url, must_exist=False)
        upgrade(self.store, only_if_new=True)
        self._open: OrderedDict[str, Study] = OrderedDict()
        self._summaries: OrderedDict[tuple[int, int], dict[str, Any]] = OrderedDict()
        self._lock = threading.Lock()

    def check(self) -> None:
        """Refuse where the database does not answer, or with tables of another version."""
        self.store.read(check_schema)

    def name_of(self, path: str) -> str:
        """The name of the study that a path means, which may not exist."""
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
        """The study of that name; the one that was not used for longest is closed for it."""
        with self._lock:
            if name in self._open:
                self._open.move_to_end(name)
                return self._open[name]
        return self.keep(Study.open(self.url, name))

    def keep(self, study: Study) -> Study:
        """Take in a study that was just opened; another thread may have been faster."""
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
        """Let go of all connections."""
        with self._lock:
            opened, self._open = list(self._open.values()), OrderedDict()
        for study in opened:
            study.close()
        self.store.close()

    def page(self, after: str, limit: int, only: frozenset[str] | None) -> list[dict[str, Any]]:
        """The next studies by name, each in a few words; ``only`` those, where given."""
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

    def _summary(self, number: int, name: str, events: int, last: int) -> dict[str, Any]:
        with self._lock:
            known = self._summaries.get((number, events))
        if known is None:
            status = self.open(name).status()
            known = {
                "name": name,
                "path": segment(name, number),
                "state": status.state,
                "progress": status.progress,
                "samples": status.samples,
                "cost": status.cost,
                "n_arms": len(status.arms),
                "n_clusters": status.n_clusters,
                "delta": status.delta,
                "events": events,
                "last": iso(last),
                "remaining_samples": status.remaining_samples,
            }
            with self._lock:
                self._summaries[number, events] = known
                while len(self._summaries) > _MOST_SUMMARIES:
                    self._summaries.popitem(last=False)
        return known
