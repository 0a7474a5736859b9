"""A study on a server."""

import csv
import json
import uuid
from collections.abc import Iterator, Mapping
from math import inf, nan
from pathlib import Path
from typing import Any, overload

import httpx

from boclust._files import appearing
from boclust._validate import fail, shown
from boclust.client.calls import Calls
from boclust.run.learner import Explanation
from boclust.study.checks import Budget
from boclust.study.status import ArmStatus, Ask, Estimate, Status

Asks = list[Ask]
Numbers = list[int]


class RemoteStudy:
    """A study on a server, used like a ``boclust.Study``: same arguments, answers and errors."""

    def __init__(self, calls: Calls, path: str) -> None:
        self._calls = calls
        self._path = f"studies/{path}"
        self.parameters: dict[str, Any] = calls.get(self._path)["parameters"]

    @property
    def name(self) -> str:
        """The name of the study."""
        return str(self.parameters["name"])

    # --- looking ------------------------------------------------------------------------------

    def status(self) -> Status:
        """Clusters, progress, what is still needed, arms, asks and the guarantee."""
        return _status(self._calls.get(self._path)["status"])

    def explain(self) -> Explanation:
        """Why the next arm is the next; without the nearest alternative."""
        said = self._calls.get(f"{self._path}/explain")
        numbers = {"evidence": -inf, "threshold": inf, "remaining": inf}
        known = {
            name: unknown if said[name] is None else said[name] for name, unknown in numbers.items()
        }
        return Explanation(
            said["arm"], said["reason"], known["evidence"], known["threshold"], known["remaining"],
            None, said["text"],
        )  # fmt: skip

    def history(self, after: int = 0, limit: int | None = None) -> Iterator[dict[str, Any]]:
        """The events after a number, ``limit`` at most, as dictionaries."""
        page: dict[str, Any] = {"next": after}
        while page["next"] is not None and (limit is None or limit > 0):
            most = 1000 if limit is None else min(limit, 1000)
            page = self._calls.get(f"{self._path}/history", after=page["next"], limit=most)
            limit = None if limit is None else limit - len(page["events"])
            yield from page["events"]

    def events(self, after: int = 0) -> Iterator[dict[str, Any]]:
        """The events after a number, then each as it happens; without end.

        A stream that breaks off is begun again after the last event.
        """
        while True:
            try:
                for event in self._stream(after):
                    after = event["seq"]
                    yield event
            except httpx.TransportError:
                pass

    def _stream(self, after: int) -> Iterator[dict[str, Any]]:
        http = self._calls.http
        request = http.build_request("GET", f"{self._path}/events", params={"after": after})
        answer = self._calls.persist(lambda: http.send(request, stream=True))
        try:
            for line in answer.iter_lines():
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))
        finally:
            answer.close()

    def export(self, path: Any) -> int:
        """Write the values to a .csv or .parquet file, which appears whole; returns how many."""
        target = Path(path)
        suffix = target.suffix.lower()
        if suffix not in (".csv", ".parquet"):
            raise fail(
                "path", f"is {shown(str(path))}", "a file name that ends in .csv or .parquet"
            )
        http = self._calls.http
        asked = {"format": suffix[1:]}
        request = http.build_request("GET", f"{self._path}/export", params=asked)
        with appearing(target) as part:
            answer = self._calls.persist(lambda: http.send(request, stream=True))
            try:
                with part.open("wb") as file:
                    file.writelines(answer.iter_bytes())
            finally:
                answer.close()
            return _rows_of_csv(part) if suffix == ".csv" else _rows_of_parquet(part)

    # --- asking and telling -------------------------------------------------------------------

    @overload
    def ask(self, n: None = None, client: str | None = None) -> Ask: ...

    @overload
    def ask(self, n: int, client: str | None = None) -> Asks: ...

    def ask(self, n: int | None = None, client: str | None = None) -> Ask | Asks:
        """What to sample next: one ask, or a list of at most ``n``.

        Without a client one is made up for this call alone, so that it can be sent again.
        """
        said = {"n": 1 if n is None else n, "client": client or uuid.uuid4().hex}
        asks = [Ask(**one) for one in self._calls.post(f"{self._path}/asks", said)["asks"]]
        return asks[0] if n is None else asks

    def tell(
        self,
        ask_or_arm: Ask | int | str,
        value: Any,
        key: str | None = None,
        client: str | None = None,
        metadata: Any = None,
    ) -> int:
        """Record one value, of an ask or of an arm (its name or number); returns its number."""
        row = {**_observation((ask_or_arm, value, key)), "metadata": metadata}
        return self._tell([row], client)[0]

    def tell_many(self, observations: Any, client: str | None = None) -> Numbers:
        """Record many values, all or none, as ``Study.tell_many``; returns their numbers."""
        return self._tell([_observation(one) for one in observations], client)

    def _tell(self, rows: list[dict[str, Any]], client: str | None) -> Numbers:
        said = {"observations": rows, "client": client}
        events: Numbers = self._calls.post(
            f"{self._path}/observations", said, uuid.uuid4().hex
        )["events"]  # fmt: skip
        return events

    # --- running ------------------------------------------------------------------------------

    def void(self, event: int, reason: str, client: str | None = None) -> int:
        """Leave a value out, by its number."""
        return self._revise("void", event=event, reason=reason, client=client)

    def correct(self, event: int, value: Any, reason: str, client: str | None = None) -> int:
        """Put another value in the place of one that was told, by its number."""
        return self._revise("correct", event=event, value=value, reason=reason, client=client)

    def _revise(self, how: str, **said: Any) -> int:
        return int(self._calls.post(f"{self._path}/{how}", said)["event"])

    def pause(self, client: str | None = None) -> None:
        """Ask for nothing until ``resume``; values may still be told."""
        self._calls.post(f"{self._path}/pause", {"client": client})

    def resume(self, client: str | None = None) -> None:
        """Ask again: see ``pause``."""
        self._calls.post(f"{self._path}/resume", {"client": client})

    def change_budget(self, value: Any, client: str | None = None) -> None:
        """Set another budget, as in ``create``; None for no limit."""
        given = dict(value) if isinstance(value, Mapping) else {"samples": value}
        self._calls.post(f"{self._path}/budget", {**given, "client": client})

    def stop(self, reason: str, client: str | None = None) -> None:
        """End the study by hand, for good."""
        self._calls.post(f"{self._path}/stop", {"reason": reason, "client": client})


def _observation(one: Any) -> dict[str, Any]:
    """A row of ``tell_many`` as the API takes it."""
    if isinstance(one, Mapping):
        row = dict(one)
        if isinstance(row.get("ask"), Ask):
            row["ask"] = row["ask"].id
        return row
    if not isinstance(one, (tuple, list)) or len(one) not in (2, 3):
        raise fail("observation", f"is {shown(one)}", "(ask or arm, value), with a key or not")
    what = {"ask": one[0].id} if isinstance(one[0], Ask) else {"arm": one[0]}
    return {**what, "value": one[1], "key": one[2] if len(one) == 3 else None}


def _estimate(said: dict[str, float | None] | None) -> Estimate | None:
    if said is None:
        return None
    value, low, high = (nan if said[name] is None else said[name] for name in Estimate._fields)
    return Estimate(value, low, high)  # type: ignore[arg-type]


def _status(said: dict[str, Any]) -> Status:
    """The data class that a local study gives."""
    return Status(
        **said
        | {
            "notes": tuple(said["notes"]),
            "budget": Budget(**said["budget"]),
            "remaining_samples": _estimate(said["remaining_samples"]),
            "remaining_cost": _estimate(said["remaining_cost"]),
            "arms": tuple(ArmStatus(**arm | {"tags": tuple(arm["tags"])}) for arm in said["arms"]),
            "asks": tuple(Ask(**ask) for ask in said["asks"]),
        }
    )


def _rows_of_csv(path: Path) -> int:
    with path.open(newline="", encoding="utf-8") as file:
        return sum(1 for _ in csv.reader(file)) - 1


def _rows_of_parquet(path: Path) -> int:
    from pyarrow import parquet

    return int(parquet.read_metadata(path).num_rows)
