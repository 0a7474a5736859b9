"""Events: their kinds, how they are stored, and how they are shown."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from boclust._validate import FloatArray


class Kind(IntEnum):
    """The kinds of events; databases hold these numbers, so they never change."""

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
        """The name of this kind in ``Study.history``."""
        return "budget changed" if self is Kind.BUDGET else self.name.lower()


class Event(NamedTuple):
    """One row of the table ``events``, without the study: see ``storage.tables``."""

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
        """Whether both record the same thing, whoever sent it and whenever."""
        return self._replace(seq=0, time=0, client=None) == other._replace(
            seq=0, time=0, client=None
        )


@dataclass(frozen=True)
class Record:
    """An event as ``Study.history`` and the HTTP interface show it; absent fields are None."""

    seq: int
    kind: str
    time: str
    client: str | None
    key: str | None
    ask: str | None
    target: int | None
    arm: str | None
    value: float | list[float] | None
    payload: dict[str, Any] | None

    @staticmethod
    def of(event: Event, names: Sequence[str], ask_id: Callable[[int], str]) -> "Record":
        """The record of a stored event; ``names`` are those of the arms."""
        kind = Kind(event.kind)
        ask = event.seq if kind is Kind.ASKED else event.ask
        return Record(
            seq=event.seq,
            kind=kind.word,
            time=iso(event.time),
            client=event.client,
            key=event.key,
            ask=None if ask is None else ask_id(ask),
            target=event.target,
            arm=None if event.arm is None else names[event.arm],
            value=None if event.value is None else number_or_list(event.value),
            payload=None if event.payload is None else json.loads(event.payload),
        )


def pack(sample: FloatArray) -> bytes:
    """The bytes of a sample, which preserve every bit."""
    return sample.astype("<f8").tobytes()


def unpack(values: Sequence[bytes], dim: int) -> FloatArray:
    """Packed samples as an n x d array."""
    return np.frombuffer(b"".join(values), dtype="<f8").astype(np.float64).reshape(-1, dim)


def to_json(data: Any) -> str:
    """JSON in ASCII, which every database stores unchanged; refuses NaN and infinity."""
    return json.dumps(data, allow_nan=False, separators=(",", ":"))


def iso(time: int) -> str:
    """Microseconds since 1970 as an ISO 8601 date and time in UTC."""
    seconds, rest = divmod(time, 1_000_000)
    return datetime.fromtimestamp(seconds, UTC).replace(microsecond=rest).isoformat()


def number_or_list(value: bytes) -> float | list[float]:
    """A packed sample as one number, or as a list for d > 1."""
    numbers: list[float] = np.frombuffer(value, dtype="<f8").tolist()
    return numbers[0] if len(numbers) == 1 else numbers
