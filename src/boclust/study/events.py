"""The kinds of events, and how an event is written down and shown."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from boclust._validate import FloatArray


class Kind(IntEnum):
    """What happened; the numbers are those of the tables and must stay."""

    CREATED = 1
    ASKED = 2
    TOLD = 3
    VOIDED = 4
    CORRECTED = 5
    PAUSED = 6
    RESUMED = 7
    BUDGET = 8
    STOPPED = 9

    @property
    def word(self) -> str:
        """As ``Study.history`` calls it."""
        return "budget changed" if self is Kind.BUDGET else self.name.lower()


class Event(NamedTuple):
    """A row of the table ``events``, without the study: see ``tables``."""

    seq: int
    kind: int
    time: int
    client: str | None = None
    key: str | None = None
    ask: int | None = None
    target: int | None = None
    arm: int | None = None
    value: bytes | None = None
    payload: str | None = None

    def same_as(self, other: "Event") -> bool:
        """Whether both say the same: all but who said it, and when."""
        return self._replace(seq=0, time=0, client=None) == other._replace(
            seq=0, time=0, client=None
        )


def pack(sample: FloatArray) -> bytes:
    """The numbers of a sample, bit for bit."""
    return sample.astype("<f8").tobytes()


def unpack(values: Sequence[bytes], dim: int) -> FloatArray:
    """Samples as an n x d table."""
    return np.frombuffer(b"".join(values), dtype="<f8").astype(np.float64).reshape(-1, dim)


def to_json(data: Any) -> str:
    """JSON in ASCII, which every database keeps as it is; NaN and infinity are refused."""
    return json.dumps(data, allow_nan=False, separators=(",", ":"))


def iso(time: int) -> str:
    """Microseconds since 1970 as a date and time of day, UTC."""
    seconds, rest = divmod(time, 1_000_000)
    return datetime.fromtimestamp(seconds, UTC).replace(microsecond=rest).isoformat()


def number_or_list(value: bytes) -> float | list[float]:
    """A sample as it was told: a number, or several."""
    numbers: list[float] = np.frombuffer(value, dtype="<f8").tolist()
    return numbers[0] if len(numbers) == 1 else numbers


def shown_event(event: Event, names: Sequence[str], ask_id: Any) -> dict[str, Any]:
    """An event as ``Study.history`` gives it: what it does not have is None."""
    kind = Kind(event.kind)
    own = event.seq if kind is Kind.ASKED else event.ask
    return {
        "seq": event.seq,
        "kind": kind.word,
        "time": iso(event.time),
        "client": event.client,
        "key": event.key,
        "ask": None if own is None else ask_id(own),
        "target": event.target,
        "arm": None if event.arm is None else names[event.arm],
        "value": None if event.value is None else number_or_list(event.value),
        "payload": None if event.payload is None else json.loads(event.payload),
    }
