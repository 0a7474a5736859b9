"""How much may be sent: bytes at a time, and requests a second."""

import asyncio
import math
import time
from collections import OrderedDict

from starlette.datastructures import Headers
from starlette.types import Message, Receive

from boclust.server.problems import Problem

#: Bytes of a body, and seconds in which it must have come.
BODY, PATIENCE = 1_000_000, 30.0
#: Requests a second of one token or address; twice as many may come at once.
RATE = 500.0
#: Tokens and addresses that are remembered.
_MOST = 10_000


class Rate:
    """A bucket for each caller: it holds two seconds' worth of requests and fills steadily."""

    def __init__(self, rate: float | None) -> None:
        self.rate = rate
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # left, and when

    def take(self, caller: str) -> None:
        """One request, or a refusal that says when to come back."""
        if self.rate is None:
            return
        now, most = time.monotonic(), max(2 * self.rate, 1.0)
        left, before = self._buckets.pop(caller, (most, now))
        left = min(left + (now - before) * self.rate, most)
        self._buckets[caller] = (max(left - 1.0, 0.0) if left >= 1 else left, now)
        if len(self._buckets) > _MOST:
            self._buckets.popitem(last=False)
        if left < 1:
            wait = {"Retry-After": str(math.ceil((1 - left) / self.rate))}
            raise Problem(429, "too-many", "Too many requests; try again later.", wait)


async def whole_body(headers: Headers, receive: Receive, most: int) -> Receive:
    """Read the body before anything is done with it; the same, to be read again."""
    length = headers.get("content-length", "")
    if length.isdecimal() and int(length) > most:
        raise _too_large(most)
    chunks: list[bytes] = []
    try:
        async with asyncio.timeout(PATIENCE):
            more = True
            while more:
                message = await receive()
                if message["type"] != "http.request":  # gone before all was sent
                    raise Problem(400, "cut-short", "The request was cut short.")
                chunks.append(message.get("body", b""))
                more = message.get("more_body", False)
                if sum(map(len, chunks)) > most:
                    raise _too_large(most)
    except TimeoutError:
        raise Problem(408, "too-slow", f"The body took longer than {PATIENCE:g} s.") from None
    first: list[Message] = [{"type": "http.request", "body": b"".join(chunks), "more_body": False}]

    async def again() -> Message:
        return first.pop() if first else await receive()

    return again


def _too_large(most: int) -> Problem:
    return Problem(413, "too-large", f"The body has more than {most} bytes.")
