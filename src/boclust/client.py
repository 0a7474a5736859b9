"""A study server from Python: the same calls as on ``boclust.Study``, with the same errors.

Clients may safely repeat every call: values carry a key or an ask, asks carry a client, ``create``
carries a key, and the other calls are idempotent. So the client repeats a call after a lost
connection, while the server is busy and across a restart, and nothing is recorded twice.
"""

import csv
import inspect
import json
import random
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, overload

import httpx
from pydantic import TypeAdapter

from boclust._closing import Closing
from boclust._data import as_data, in_path, kind_of
from boclust._files import appearing
from boclust._validate import InvalidInputError, integer, invalid, shown
from boclust.problem.families import Family
from boclust.run.learner import Explanation
from boclust.run.algorithm import Algorithm
from boclust.study import StudyNotFoundError, errors
from boclust.study.export import export_path
from boclust.study.status import Ask, PlainExplanation, Status

#: HTTP statuses after which the client repeats a call.
_REPEATED = (429, 502, 503, 504)
#: Seconds between attempts: doubled each time from the first to the longest.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 8.0
#: Events and studies per request.
_PAGE = 1000

# Answers become the data classes that a local study returns.
_STATUS = TypeAdapter(Status)
_EXPLANATION = TypeAdapter(PlainExplanation)
_ASKS = TypeAdapter(list[Ask])


class AccessError(errors.StudyError):
    """There is no token, or it is wrong, or it does not allow this."""


class Client(Closing):
    """A study server: ``Client("http://127.0.0.1:8000", token="boc_...")``.

    ``token`` is the text that ``boclust token create`` printed. ``timeout`` is the time in seconds
    that an answer may take (a write may wait a minute for the database). ``retries`` is how often
    the client repeats a call after a lost connection or while the server is busy, with pauses of up
    to eight seconds. Several threads may use one client. A ``with`` statement closes its
    connections.

    >>> with Client("http://127.0.0.1:8000") as client:  # doctest: +SKIP
    ...     study = client.study("tides")
    ...     study.tell(study.ask(client="ann"), 1.3)
    """

    def __init__(
        self, url: str, token: str | None = None, timeout: float = 90.0, retries: int = 6
    ) -> None:
        self._http = _Http(url, token, timeout, retries)

    def studies(self) -> list[dict[str, Any]]:
        """Summaries of the studies on the server."""
        return list(self._summaries())

    def create(
        self,
        name: str,
        arms: Any,
        n_clusters: int,
        delta: float,
        dim: int = 1,
        family: Family | None = None,
        algorithm: str | Algorithm = "span",
        budget: Any = None,
        lease: float = 3600.0,
        key: str | None = None,
    ) -> "RemoteStudy":
        """Create a study, with the arguments of ``boclust.Study.create``."""
        body = {
            "name": name, "arms": arms, "n_clusters": n_clusters, "delta": delta, "dim": dim,
            "algorithm": algorithm, "budget": budget, "lease": lease,
        }  # fmt: skip
        if family is not None:
            body["family"] = {"name": family.name, **as_data(family)}
        if isinstance(algorithm, Algorithm):
            body["algorithm"] = {
                "sampling": algorithm.sampling, "stopping": algorithm.stopping,
                "options": dict(algorithm.options),
            }  # fmt: skip
        self._http.post("studies", body, key or uuid.uuid4().hex)
        return self.study(name)

    def study(self, name: str) -> "RemoteStudy":
        """An existing study."""
        if not isinstance(name, str):
            raise invalid("name", "the name of a study", shown(name))
        listed = (one["path"] for one in self._summaries() if one["name"] == name)
        path = in_path(name) or next(listed, None)
        if path is None:
            raise StudyNotFoundError(f"there is no study {name!r}")
        return RemoteStudy(self._http, path)

    def _summaries(self) -> Iterator[dict[str, Any]]:
        after: str | None = ""
        while after is not None:
            page = self._http.get("studies", after=after, limit=_PAGE)
            yield from page["studies"]
            after = page["next"]

    def close(self) -> None:
        """Close the connections."""
        self._http.session.close()


class RemoteStudy:
    """A study on a server, used like a ``boclust.Study``: same arguments, answers and errors."""

    def __init__(self, http: "_Http", path: str) -> None:
        self._http = http
        self._path = f"studies/{path}"
        self.parameters: dict[str, Any] = http.get(self._path)["parameters"]

    @property
    def name(self) -> str:
        """The name of the study."""
        return str(self.parameters["name"])

    # --- queries ------------------------------------------------------------------------------

    def status(self) -> Status:
        """The clusters, the progress, what the certificate still needs, and the guarantee."""
        return _STATUS.validate_python(self._http.get(self._path)["status"])

    def explain(self) -> Explanation:
        """Why the study asks for this arm next; without the nearest alternative."""
        answer = self._http.get(f"{self._path}/explain")
        return _EXPLANATION.validate_python(answer).explanation()

    def history(self, after: int = 0, limit: int | None = None) -> Iterator[dict[str, Any]]:
        """At most ``limit`` events after number ``after``, as dictionaries."""
        page: dict[str, Any] = {"next": after}
        while page["next"] is not None and (limit is None or limit > 0):
            most = _PAGE if limit is None else min(limit, _PAGE)
            page = self._http.get(f"{self._path}/history", after=page["next"], limit=most)
            limit = None if limit is None else limit - len(page["events"])
            yield from page["events"]

    def events(self, after: int = 0) -> Iterator[dict[str, Any]]:
        """The events after a number, then each new one as it happens; never ends.

        If the stream breaks off, the client opens another one after the last event.
        """
        while True:
            try:
                for event in self._stream(after):
                    after = event["seq"]
                    yield event
            except httpx.TransportError:
                pass

    def _stream(self, after: int) -> Iterator[dict[str, Any]]:
        answer = self._http.open(f"{self._path}/events", after=after)
        try:
            for line in answer.iter_lines():
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))
        finally:
            answer.close()

    def export(self, path: Any) -> int:
        """Write the values to a .csv or .parquet file; returns their number.

        The file appears only when it is complete.
        """
        target = export_path(path)
        suffix = target.suffix.lower()
        with appearing(target) as part:
            answer = self._http.open(f"{self._path}/export", format=suffix[1:])
            try:
                with part.open("wb") as file:
                    file.writelines(answer.iter_bytes())
            finally:
                answer.close()
            return _csv_rows(part) if suffix == ".csv" else _parquet_rows(part)

    # --- ask and tell -------------------------------------------------------------------------

    @overload
    def ask(self, n: None = None, client: str | None = None) -> Ask: ...

    @overload
    def ask(self, n: int, client: str | None = None) -> list[Ask]: ...

    def ask(self, n: int | None = None, client: str | None = None) -> Ask | list[Ask]:
        """The next sample to take: one ask, or a list of at most ``n``.

        Without a client, the call uses a new random one, so that it can be repeated.
        """
        body = {"n": 1 if n is None else n, "client": client or uuid.uuid4().hex}
        asks = _ASKS.validate_python(self._http.post(f"{self._path}/asks", body)["asks"])
        return asks[0] if n is None else asks

    def tell(
        self,
        ask_or_arm: Ask | int | str,
        value: Any,
        key: str | None = None,
        client: str | None = None,
        metadata: Any = None,
    ) -> int:
        """Record one value of an ask or of an arm, by name or number; returns its event number."""
        row = {**_observation((ask_or_arm, value, key)), "metadata": metadata}
        return self._tell([row], client)[0]

    def tell_many(self, observations: Any, client: str | None = None) -> list[int]:
        """Record all of these values or none, as ``Study.tell_many``; returns their numbers."""
        return self._tell([_observation(one) for one in observations], client)

    def _tell(self, rows: list[dict[str, Any]], client: str | None) -> list[int]:
        body = {"observations": rows, "client": client}
        answer = self._http.post(f"{self._path}/observations", body, uuid.uuid4().hex)
        events: list[int] = answer["events"]
        return events

    def void(self, event: int, reason: str, client: str | None = None) -> int:
        """Exclude the value of an event, by its number."""
        return self._revise("void", event=event, reason=reason, client=client)

    def correct(self, event: int, value: Any, reason: str, client: str | None = None) -> int:
        """Replace the value of an event, by its number."""
        return self._revise("correct", event=event, value=value, reason=reason, client=client)

    def _revise(self, how: str, **body: Any) -> int:
        return int(self._http.post(f"{self._path}/{how}", body)["event"])

    # --- lifecycle ----------------------------------------------------------------------------

    def pause(self, client: str | None = None) -> None:
        """Stop asking until ``resume``; the study still accepts values."""
        self._http.post(f"{self._path}/pause", {"client": client})

    def resume(self, client: str | None = None) -> None:
        """Ask again after ``pause``."""
        self._http.post(f"{self._path}/resume", {"client": client})

    def change_budget(self, value: Any, client: str | None = None) -> None:
        """Set another budget, as in ``create``; None for no limit."""
        given = dict(value) if isinstance(value, Mapping) else {"samples": value}
        self._http.post(f"{self._path}/budget", {**given, "client": client})

    def stop(self, reason: str, client: str | None = None) -> None:
        """End the study by hand, for good."""
        self._http.post(f"{self._path}/stop", {"reason": reason, "client": client})


def _observation(one: Any) -> dict[str, Any]:
    """An observation of ``tell_many`` as the API takes it."""
    if isinstance(one, Mapping):
        row = dict(one)
        if isinstance(row.get("ask"), Ask):
            row["ask"] = row["ask"].id
        return row
    if not isinstance(one, (tuple, list)) or len(one) not in (2, 3):
        accepted = "(ask or arm, value), (ask or arm, value, key) or a mapping"
        raise invalid("observation", accepted, shown(one))
    what = {"ask": one[0].id} if isinstance(one[0], Ask) else {"arm": one[0]}
    return {**what, "value": one[1], "key": one[2] if len(one) == 3 else None}


def _csv_rows(path: Path) -> int:
    with path.open(newline="", encoding="utf-8") as file:
        return sum(1 for _ in csv.reader(file)) - 1


def _parquet_rows(path: Path) -> int:
    from pyarrow import parquet

    return int(parquet.read_metadata(path).num_rows)


# --- HTTP -----------------------------------------------------------------------------------------


class _Http:
    """Requests to one server, repeated until they are answered; raises a local study's errors."""

    def __init__(self, url: Any, token: str | None, timeout: float, retries: int) -> None:
        if not isinstance(url, str) or not url.startswith(("http://", "https://")):
            accepted = "the address of a server that starts with http:// or https://"
            raise invalid("url", accepted, shown(url))
        self._retries = integer("retries", retries, 0)
        self.session = httpx.Client(
            base_url=url.rstrip("/") + "/api/v1/",
            headers={} if token is None else {"authorization": f"Bearer {token}"},
            timeout=timeout,
        )

    def get(self, path: str, **query: Any) -> Any:
        """The JSON answer to a GET request."""
        return self._repeat(lambda: self.session.get(path, params=query)).json()

    def open(self, path: str, **query: Any) -> httpx.Response:
        """The answer to a GET request, to be read as a stream and closed."""
        request = self.session.build_request("GET", path, params=query)
        return self._repeat(lambda: self.session.send(request, stream=True))

    def post(self, path: str, body: Any, key: str | None = None) -> Any:
        """The JSON answer to a POST request."""
        headers = {"content-type": "application/json"}
        if key is not None:
            headers["idempotency-key"] = key
        content = _to_json(body)
        return self._repeat(
            lambda: self.session.post(path, content=content, headers=headers)
        ).json()

    def _repeat(self, send: Callable[[], httpx.Response]) -> httpx.Response:
        """The first successful answer."""
        for attempt in range(self._retries + 1):
            pause = min(_FIRST_PAUSE * 2**attempt, _LONGEST_PAUSE) * random.uniform(0.5, 1.0)
            try:
                answer = send()
            except httpx.TransportError as error:
                host = self.session.base_url.host
                problem: Exception = errors.ServerLostError(
                    f"{host}: cannot reach the server ({error})"
                )
            else:
                if answer.is_success:
                    return answer
                answer.read()
                problem = _error(answer)
                if answer.status_code not in _REPEATED:
                    break
                later = answer.headers.get("retry-after", "")
                pause = max(pause, float(later)) if later.isdecimal() else pause
            if attempt < self._retries:
                time.sleep(pause)
        raise problem


def _to_json(body: Any) -> bytes:
    try:
        return json.dumps(body, allow_nan=False, default=_plain).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise invalid("arguments", "JSON values without NaN", error) from None


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays as Python's."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{shown(value)} of the type {type(value).__name__}")


_ERRORS: dict[str, type[Exception]] = {
    kind_of(known): known
    for known in vars(errors).values()
    if inspect.isclass(known) and issubclass(known, errors.StudyError)
} | {
    "invalid-input": InvalidInputError,
    "no-json": InvalidInputError,
    "too-large": InvalidInputError,
    "too-many": errors.BusyError,
}


def _error(answer: httpx.Response) -> Exception:
    """The error that a local study would have raised."""
    try:
        problem = answer.json()
        detail, kind = str(problem["detail"]), str(problem["type"]).removeprefix("urn:boclust:")
    except (ValueError, KeyError, TypeError):  # not from boclust, perhaps from a proxy
        detail, kind = f"the server answered {answer.status_code}", ""
    if answer.status_code in (401, 403):
        return AccessError(detail)
    if kind == "study-stopped":
        return errors.StudyStoppedError(detail, str(problem.get("how")))
    return _ERRORS.get(kind, errors.StudyError)(detail)
