"""Snapshots: the state in bytes, one row per study, as a cache that may be dropped at any time.

A line of JSON describes the arrays that follow it; equal states have equal bytes. A snapshot is
used only if its checksum and version match. A new one is written when the log has grown in
proportion to its size, so that each event pays the same share of it.
"""

import hashlib
import json
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection

import boclust
from boclust.study.errors import CorruptError
from boclust.study.events import to_json
from boclust.study.spec import Spec, as_budget
from boclust.study.state import PendingAsk, State
from boclust.study.storage.tables import snapshots
from boclust.study.trace import Point

#: The version of the format, and the version of boclust that computed the state.
VERSION = f"5/{boclust.__version__}"

#: The types of the fields of ``Point``.
_POINT_TYPES = ("<i8", "<f8", "<i8", "<f8")
_PLAIN = ("seq", "time", "told", "paused", "stop_reason", "voided", "corrected")
#: What reading a damaged snapshot may raise.
_DAMAGES = (
    ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError,
)  # fmt: skip
#: Databases count in 64 bits; the year 9999 ends after so many microseconds.
_LARGEST = 2**63 - 1
_LATEST = 253_402_300_799_999_999
_FIND = sa.select(
    snapshots.c.seq, snapshots.c.version, snapshots.c.checksum, snapshots.c.state
).where(snapshots.c.study == sa.bindparam("one"))
_DROP = sa.delete(snapshots).where(snapshots.c.study == sa.bindparam("one"))
_WRITE = sa.insert(snapshots)


class Saved(NamedTuple):
    """A snapshot as stored."""

    seq: int
    version: str
    checksum: str
    state: bytes

    @property
    def problem(self) -> str:
        """The reason why it is unusable, or an empty string."""
        if hashlib.sha256(self.state).hexdigest() != self.checksum:
            return "is damaged (wrong checksum)"
        return "" if self.version == VERSION else f"has version {self.version}, not {VERSION}"


def interval(state: State) -> int:
    """The number of events between snapshots: one event per 64 bytes, at least 1,000."""
    size = state.size + 50 * len(state.asks) + 32 * len(state.trace.points)
    return max(1000, size // 64)


def dump(state: State) -> bytes:
    """A state in bytes."""
    arrays = {n: a for n, a in state.learner.arrays().items() if n != "pending"}
    points = zip(*state.trace.points, strict=True) if state.trace.points else [()] * 4
    for name, dtype, column in zip(Point._fields, _POINT_TYPES, points, strict=True):
        arrays[f"trace.{name}"] = np.array(column, dtype)
    head: dict[str, Any] = {name: getattr(state, name) for name in _PLAIN}
    head["budget"] = asdict(state.budget)
    head["stride"] = state.trace.stride
    head["asks"] = [[seq, *ask] for seq, ask in state.asks.items()]
    head["arrays"] = [[name, array.dtype.str, array.shape] for name, array in arrays.items()]
    return b"".join([to_json(head).encode(), b"\n", *(a.tobytes() for a in arrays.values())])


def load(spec: Spec, saved: bytes) -> State:
    """The state that ``dump`` wrote; anything else raises CorruptError."""
    try:
        return _load(spec, saved)
    except _DAMAGES as error:
        raise CorruptError("the snapshot is not one of this study") from error


def _load(spec: Spec, saved: bytes) -> State:
    line, _, rest = saved.partition(b"\n")
    head = json.loads(line)
    _check_head(head, len(spec.arms))
    state = State(spec)
    for name in _PLAIN:
        setattr(state, name, head[name])
    state.budget = as_budget(head["budget"])
    state.asks = {seq: PendingAsk(*ask) for seq, *ask in head["asks"]}
    arrays: dict[str, Any] = {"pending": np.zeros(len(spec.arms))}
    for name, dtype, shape in head["arrays"]:
        count = int(np.prod(shape))
        arrays[name] = np.frombuffer(rest, dtype, count).reshape(shape)
        rest = rest[arrays[name].nbytes :]
    columns = [arrays.pop(f"trace.{name}") for name in Point._fields]
    if any(a.dtype != t or a.ndim != 1 for a, t in zip(columns, _POINT_TYPES, strict=True)):
        raise ValueError("a trace")
    if columns[2].min(initial=0) < 0 or columns[2].max(initial=0) > _LATEST:
        raise ValueError("a time")
    state.trace.stride = head["stride"]
    state.trace.points = [Point(*one) for one in zip(*(a.tolist() for a in columns), strict=True)]
    state.learner.restore(arrays)
    return state


def _check_head(head: dict[str, Any], n_arms: int) -> None:
    """Refuse a head whose entries have other types or ranges than a state's."""
    counts = [head["seq"], head["time"], head["voided"], head["corrected"], *head["told"]]
    for seq, arm, client, until in head["asks"]:
        counts += [seq, arm, until]
        if arm >= n_arms or not isinstance(client, str | None):
            raise ValueError("an ask")
    if any(type(count) is not int or not 0 <= count <= _LARGEST for count in counts):
        raise ValueError("a count")
    if head["time"] > _LATEST or any(ask[3] > _LATEST for ask in head["asks"]):
        raise ValueError("a time")
    if len(head["told"]) != n_arms or type(head["paused"]) is not bool:
        raise ValueError("told or paused")
    if type(head["stride"]) is not int or head["stride"] < 1:
        raise ValueError("stride")
    if not isinstance(head["stop_reason"], str | None):
        raise ValueError("stop_reason")


def find(connection: Connection, study: int) -> Saved | None:
    """The snapshot of a study, usable or not."""
    row = connection.execute(_FIND, {"one": study}).first()
    return None if row is None else Saved(*row)


def write(connection: Connection, study: int, state: State) -> None:
    """Replace the snapshot of a study."""
    data = dump(state)
    connection.execute(_DROP, {"one": study})
    connection.execute(
        _WRITE,
        {
            "study": study,
            "seq": state.seq,
            "version": VERSION,
            "checksum": hashlib.sha256(data).hexdigest(),
            "state": data,
        },
    )
