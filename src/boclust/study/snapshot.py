"""The state in bytes: a cache of the fold, one row a study, that may be dropped at any time.

A line of JSON says what the arrays that follow it are; equal states have equal bytes. A snapshot is
used only if its checksum and version are right. One is written whenever the log has grown by as
many events as make it worth its size, so that it costs each of them the same however large it is.
"""

import hashlib
import json
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection

import boclust
from boclust.study.checks import Budget
from boclust.study.events import to_json
from boclust.study.spec import Spec
from boclust.study.state import Held, State
from boclust.study.tables import snapshots
from boclust.study.trace import Point

#: The format below, and the version that computed the state.
VERSION = f"4/{boclust.__version__}"

#: The types of the columns of ``Point``.
_COURSE = ("<i8", "<f8", "<i8", "<f8")
_PLAIN = ("seq", "time", "taken", "paused", "closed", "voided", "corrected")
_FIND = sa.select(
    snapshots.c.seq, snapshots.c.version, snapshots.c.checksum, snapshots.c.state
).where(snapshots.c.study == sa.bindparam("one"))
_DROP = sa.delete(snapshots).where(snapshots.c.study == sa.bindparam("one"))
_WRITE = sa.insert(snapshots)


class Saved(NamedTuple):
    """A snapshot as it was found."""

    seq: int
    version: str
    checksum: str
    state: bytes

    @property
    def problem(self) -> str:
        """Why it cannot be used; empty where it can."""
        if hashlib.sha256(self.state).hexdigest() != self.checksum:
            return "is damaged (wrong checksum)"
        return "" if self.version == VERSION else f"is of version {self.version}, not {VERSION}"


def interval(state: State) -> int:
    """How many events apart snapshots are: one for 64 bytes, and a thousand at least."""
    size = state.size + 50 * len(state.asks) + 32 * len(state.course.points)
    return max(1000, size // 64)


def dump(state: State) -> bytes:
    """The bytes of a state."""
    arrays = {n: a for n, a in state.learner.arrays().items() if n != "pending"}
    points = zip(*state.course.points, strict=True) if state.course.points else [()] * 4
    for name, dtype, column in zip(Point._fields, _COURSE, points, strict=True):
        arrays[f"course.{name}"] = np.array(column, dtype)
    head: dict[str, Any] = {name: getattr(state, name) for name in _PLAIN}
    head["budget"] = asdict(state.budget)
    head["stride"] = state.course.stride
    head["asks"] = [[seq, *held] for seq, held in state.asks.items()]
    head["arrays"] = [[name, array.dtype.str, array.shape] for name, array in arrays.items()]
    return b"".join([to_json(head).encode(), b"\n", *(a.tobytes() for a in arrays.values())])


def load(spec: Spec, saved: bytes) -> State:
    """The state of those bytes."""
    line, _, rest = saved.partition(b"\n")
    head = json.loads(line)
    state = State(spec)
    for name in _PLAIN:
        setattr(state, name, head[name])
    state.budget = Budget(**head["budget"])
    state.asks = {seq: Held(*held) for seq, *held in head["asks"]}
    arrays: dict[str, Any] = {"pending": np.zeros(len(spec.arms))}
    for name, dtype, shape in head["arrays"]:
        count = int(np.prod(shape))
        arrays[name] = np.frombuffer(rest, dtype, count).reshape(shape)
        rest = rest[arrays[name].nbytes :]
    columns = (arrays.pop(f"course.{name}").tolist() for name in Point._fields)
    state.course.stride = head["stride"]
    state.course.points = [Point(*one) for one in zip(*columns, strict=True)]
    state.learner.restore(arrays)
    return state


def find(connection: Connection, study: int) -> Saved | None:
    """The snapshot of a study, whatever it is worth."""
    row = connection.execute(_FIND, {"one": study}).first()
    return None if row is None else Saved(*row)


def write(connection: Connection, study: int, state: State) -> None:
    """Put a snapshot in the place of the last one."""
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
