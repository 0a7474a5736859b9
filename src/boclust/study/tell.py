"""Record and revise observations: each exactly once, however often a client sends it."""

from collections.abc import Iterable, Mapping
from typing import Any

from boclust._validate import InvalidInputError, integer, invalid, shown
from boclust.run.learner import Learner
from boclust.study import log
from boclust.study.ask import find_ask
from boclust.study.checks import metadata_json, optional_text, packed_floats, packed_sample, text
from boclust.study.errors import ConflictError, StudyError, StudyNotFoundError
from boclust.study.events import Event, Kind, number_or_list, to_json
from boclust.study.session import Session, Transaction
from boclust.study.status import Ask

_OBSERVATION = "(ask or arm, value), (ask or arm, value, key) or a mapping"
_MAPPING = "a mapping with value, either arm or ask, and optionally key, client and metadata"
_FIELDS = ("arm", "ask", "value", "key", "client", "metadata")


def draft(
    session: Session, ask_or_arm: Any, value: bytes, key: Any, client: Any, metadata: Any
) -> Event:
    """The validated event of one observation, without number and time."""
    ask = session.ask_number(ask_or_arm.id) if isinstance(ask_or_arm, Ask) else None
    arm = ask_or_arm.arm if isinstance(ask_or_arm, Ask) else ask_or_arm
    return Event(
        0, Kind.TOLD, 0, optional_text("client", client), optional_text("key", key), ask, None,
        _arm_number(session, arm), value, metadata_json("metadata", metadata),
    )  # fmt: skip


def _arm_number(session: Session, arm: Any) -> int:
    """The number of an arm that is given by name or number."""
    if isinstance(arm, str):
        if arm not in session.arm_numbers:
            names = ", ".join(shown(name) for name in list(session.arm_numbers)[:10])
            raise invalid("arm", f"the name ({names}) or number of an arm", shown(arm))
        return session.arm_numbers[arm]
    return integer("arm", arm, 0, len(session.arm_numbers) - 1)


def drafts(session: Session, learner: Learner, observations: Any, client: Any) -> list[Event]:
    """The validated events of many observations; an error names the index of the observation."""
    if isinstance(observations, (str, bytes, Mapping)) or not isinstance(observations, Iterable):
        raise invalid("observations", f"a list, each {_OBSERVATION}", shown(observations))
    rows = [_row(session, i, one, client) for i, one in enumerate(observations)]
    packed = packed_floats(learner, [row[1] for row in rows])
    made: list[Event] = []
    try:
        for given, value, *rest in rows:
            sample = packed[len(made)] if packed else packed_sample(learner, value)
            made.append(draft(session, given, sample, *rest))
    except (InvalidInputError, StudyError) as error:
        raise _with_index(len(made), error) from None
    return made


def _with_index(i: int, error: InvalidInputError | StudyError) -> InvalidInputError | StudyError:
    """The same error, which names the index of its observation."""
    indexed = type(error)(f"observations[{i}]: {error}")
    indexed.observation = i
    return indexed


def _row(session: Session, i: int, one: Any, client: Any) -> tuple[Any, ...]:
    """(ask or arm, value, key, client, metadata) of one observation."""
    if isinstance(one, (tuple, list)) and len(one) in (2, 3):
        return one[0], one[1], one[2] if len(one) == 3 else None, client, None
    try:
        if isinstance(one, Mapping):
            return _from_mapping(session, one, client)
        raise invalid("observation", _OBSERVATION, shown(one))
    except (InvalidInputError, StudyError) as error:
        raise _with_index(i, error) from None


def _from_mapping(session: Session, one: Mapping[str, Any], client: Any) -> tuple[Any, ...]:
    unknown = [name for name in one if name not in _FIELDS]
    if unknown or "value" not in one or ("arm" in one) == ("ask" in one):
        raise invalid("observation", _MAPPING, shown(dict(one)))
    given = one.get("arm", one.get("ask"))
    if "ask" in one and not isinstance(given, Ask):
        id = text("ask", given)
        given = session.store.read(lambda connection: find_ask(session, connection, id))
    return given, one["value"], one.get("key"), one.get("client", client), one.get("metadata")


def tell(session: Session, events: list[Event], many: bool = False) -> list[int]:
    """Record all observations that are new, or none; returns the number of each.

    With ``many``, an error names the index of the observation.
    """

    def work(transaction: Transaction) -> list[int]:
        keys = [event.key for event in events if event.key is not None]
        known = log.told_by_keys(transaction.connection, session.number, keys)
        answered: dict[int, Event] = {}
        numbers: list[int] = []
        new: list[Event] = []
        for event in events:
            found = known.get(event.key) if event.key is not None else None
            if found is None and event.ask is not None:
                found = answered.get(event.ask) or _answer(session, transaction, event)
            if found is not None and not found.same_as(event):
                error = ConflictError(_contradiction(session, found, event))
                raise _with_index(len(numbers), error) if many else error
            if found is not None:
                numbers.append(found.seq)
                continue
            numbers.append(transaction.state.seq + 1 + len(new))
            new.append(event)
            if event.key is not None:
                known[event.key] = event._replace(seq=numbers[-1])
            if event.ask is not None:
                answered[event.ask] = event._replace(seq=numbers[-1])
        if new:
            transaction.record(*new)
        return numbers

    safe = all(event.key is not None or event.ask is not None for event in events)
    return session.write(work, repeatable=safe)


def _answer(session: Session, transaction: Transaction, event: Event) -> Event | None:
    """The earlier answer to the ask of an observation; refuses asks of other studies."""
    ask = event.ask or 0
    if ask in transaction.state.asks:
        asked_arm: int | None = transaction.state.asks[ask].arm
        told = None
    else:
        asked = log.at(transaction.connection, session.number, ask)
        asked_arm = asked.arm if asked is not None and asked.kind == Kind.ASKED else None
        told = log.told_by_ask(transaction.connection, session.number, ask)
    if asked_arm != event.arm:
        raise StudyNotFoundError(
            f"the study {session.name!r} has no ask {session.ask_id(ask)!r} for arm {event.arm}"
        )
    return told


def _contradiction(session: Session, found: Event, event: Event) -> str:
    """A message that compares the recorded observation with the new one."""
    if event.key is not None and event.key == found.key:
        what = f"the key {event.key!r} was used"
    else:
        what = f"the ask {session.ask_id(event.ask or 0)!r} was answered"
    recorded, new = (
        f"arm {session.spec.arms[e.arm or 0].name!r} gave {number_or_list(e.value or b'')}"
        + (f" with metadata {shown(e.payload)}" if e.payload else "")
        + (f" with the key {e.key!r}" if e.key else "")
        for e in (found, event)
    )
    return f"{what} by event {found.seq} ({recorded}), so that it cannot record another ({new})"


def revise(session: Session, seq: int, value: bytes | None, reason: str, client: str | None) -> int:
    """Void an observation (no value) or correct it; a repetition changes nothing."""

    def work(transaction: Transaction) -> int:
        connection = transaction.connection
        event = log.at(connection, session.number, seq)
        if event is None or event.kind != Kind.TOLD:
            raise StudyNotFoundError(f"the study {session.name!r} has no value with number {seq}")
        before = log.revisions_of(connection, session.number, seq)
        kind = Kind.VOIDED if value is None else Kind.CORRECTED
        written = to_json({"reason": reason})
        for last in before[-1:]:
            if (last.kind, last.value, last.payload) == (kind, value, written):
                return last.seq
            if last.kind == Kind.VOIDED:
                raise ConflictError(f"event {seq} was voided by event {last.seq} already")
        new = Event(
            0, kind, 0, client, target=seq, arm=event.arm, value=value, payload=written
        )  # fmt: skip
        return transaction.revise(new).seq

    return session.write(work)
