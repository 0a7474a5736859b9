"""Limits on requests: the size of a body, and the number per second."""

import asyncio
import math
import time
from collections import OrderedDict

from starlette.datastructures import Headers
from starlette.types import Message, Receive

from boclust.server.problems import Problem

#: The largest body in bytes, and the seconds within which it must arrive.
BODY, PATIENCE = 1_000_000, 30.0
#: Requests per second of one token or address; bursts may have twice as many.
RATE = 500.0
#: The number of tokens and addresses whose rates are remembered.
_MOST = 10_000


class Rate:
    """One bucket per caller, which holds two seconds' worth of requests and refills steadily."""

    def __init__(self, rate: float | None) -> None:
        self.rate = rate
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # left, and when

    def take(self, caller: str) -> None:
        """Take one request from the caller's bucket; if it is empty, say when to try again."""
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
    """Read the whole body; returns a function that gives it again."""
    length = headers.get("content-length", "")
    if length.isdecimal() and int(length) > most:
        raise _too_large(most)
    chunks: list[bytes] = []
    try:
        async with asyncio.timeout(PATIENCE):
            more = True
            while more:
                message = await receive()
                if message["type"] != "http.request":  # the client disconnected
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
