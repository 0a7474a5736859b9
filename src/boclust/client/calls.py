"""Calls to a server that are tried again until they are answered.

Every call may be sent again, since it says the same thing: values carry a key or an ask, asks a
client, creating a key, and all else is the same done twice as once. So a lost connection, a busy
server and a restart are sat out, and nothing is recorded twice.
"""

import inspect
import json
import random
import time
from collections.abc import Callable
from typing import Any

import httpx

from boclust._data import kind_of
from boclust._validate import InvalidInputError, fail, integer, shown
from boclust.study import errors

#: Answers after which a call is tried again.
_AGAIN = (429, 502, 503, 504)
#: Seconds between tries: doubled each time from the first to the longest.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 8.0


class AccessError(errors.StudyError):
    """There is no token, a wrong one, or one that may not do this."""


_KINDS: dict[str, type[Exception]] = {
    kind_of(known): known
    for known in vars(errors).values()
    if inspect.isclass(known) and issubclass(known, errors.StudyError)
} | {
    "invalid-input": InvalidInputError,
    "no-json": InvalidInputError,
    "too-large": InvalidInputError,
    "too-many": errors.BusyError,
}


class Calls:
    """HTTP with one server, whose errors are those of a local study."""

    def __init__(self, url: Any, token: str | None, timeout: float, retries: int) -> None:
        if not isinstance(url, str) or not url.startswith(("http://", "https://")):
            raise fail("url", f"is {shown(url)}", "the address of a server, http:// or https://")
        self._retries = integer("retries", retries, 0)
        self.http = httpx.Client(
            base_url=url.rstrip("/") + "/api/v1/",
            headers={} if token is None else {"authorization": f"Bearer {token}"},
            timeout=timeout,
        )

    def get(self, path: str, **asked: Any) -> Any:
        """What the server says."""
        return self.persist(lambda: self.http.get(path, params=asked)).json()

    def post(self, path: str, said: Any = None, key: str | None = None) -> Any:
        """What the server says to that."""
        headers = {"content-type": "application/json"}
        if key is not None:
            headers["idempotency-key"] = key
        body = _written(said or {})
        return self.persist(lambda: self.http.post(path, content=body, headers=headers)).json()

    def persist(self, send: Callable[[], httpx.Response]) -> httpx.Response:
        """The answer, if need be after some tries."""
        for attempt in range(self._retries + 1):
            pause = min(_FIRST_PAUSE * 2**attempt, _LONGEST_PAUSE) * random.uniform(0.5, 1.0)
            try:
                answer = send()
            except httpx.TransportError as error:
                place = self.http.base_url.host
                problem: Exception = errors.ServerLostError(
                    f"{place}: the server cannot be reached ({error})"
                )
            else:
                if answer.is_success:
                    return answer
                answer.read()
                problem = _error(answer)
                if answer.status_code not in _AGAIN:
                    break
                later = answer.headers.get("retry-after", "")
                pause = max(pause, float(later)) if later.isdecimal() else pause
            if attempt < self._retries:
                time.sleep(pause)
        raise problem


def _written(said: Any) -> bytes:
    try:
        return json.dumps(said, allow_nan=False, default=_plain).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError(f"{error}; accepted: what JSON can say, without NaN") from None


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays as Python's."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{shown(value)} is of the type {type(value).__name__}")


def _error(answer: httpx.Response) -> Exception:
    """What a local study would have raised."""
    try:
        said = answer.json()
        detail, kind = str(said["detail"]), str(said["type"]).removeprefix("urn:boclust:")
    except (ValueError, KeyError, TypeError):  # of a proxy, perhaps
        detail, kind = f"the server answered {answer.status_code}", ""
    if answer.status_code in (401, 403):
        return AccessError(detail)
    if kind == "study-stopped":
        return errors.StudyStoppedError(detail, str(said.get("how")))
    return _KINDS.get(kind, errors.StudyError)(detail)
