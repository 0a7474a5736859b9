"""The events of a study as they happen, sent by the server (text/event-stream)."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from starlette.concurrency import run_in_threadpool

from boclust._data import to_line
from boclust.server.problems import Problem, problem_of
from boclust.study import StudyError

#: Seconds after which something is sent though nothing happened, so that proxies keep it open.
HEARTBEAT = 15.0
#: Seconds between looks at the log: others may write to the same database.
POLL = 1.0
#: Events that are read at a time.
PAGE = 1000
#: Streams at a time, each of which looks at the log.
MOST = 256

Rows = list[dict[str, Any]]


class News:
    """Wakes the streams of a study as soon as this server has written to it."""

    def __init__(self) -> None:
        self.closing = False
        #: Streams that are open.
        self.count = 0
        self._listeners: dict[str, set[tuple[asyncio.AbstractEventLoop, asyncio.Event]]] = {}

    @contextmanager
    def listening(self, study: str) -> Iterator[asyncio.Event]:
        """An event that is set when there is news; in the loop of the server."""
        listener = (asyncio.get_running_loop(), asyncio.Event())
        self._listeners.setdefault(study, set()).add(listener)
        self.count += 1
        try:
            yield listener[1]
        finally:
            self.count -= 1
            self._listeners[study].discard(listener)
            if not self._listeners[study]:
                del self._listeners[study]

    def tell(self, study: str) -> None:
        """Called by any thread after a write."""
        for loop, event in tuple(self._listeners.get(study, ())):
            loop.call_soon_threadsafe(event.set)

    def close(self) -> None:
        """End all streams, so that a server can stop."""
        self.closing = True
        for study in tuple(self._listeners):
            self.tell(study)


def frame(event: dict[str, Any]) -> bytes:
    """An event as a browser's EventSource reads it."""
    kind = event["kind"].replace(" ", "-")
    return f"id: {event['seq']}\nevent: {kind}\ndata: {to_line(event)}\n\n".encode()


async def stream(
    news: News, study: str, read: Callable[[int], Rows], after: int
) -> AsyncIterator[bytes]:
    """All events after a number, then each as it happens.

    ``read`` gives the next page after an event; an error that it raises ends the stream, and the
    client, which knows the last event that it got, begins another.
    """
    with news.listening(study) as happened:
        yield b"retry: 1000\n\n"
        said = time.monotonic()
        while not news.closing:
            happened.clear()
            try:
                page = await run_in_threadpool(read, after)
            except (Problem, StudyError) as error:
                problem_of(error)  # says in the log what a database said
                return
            for event in page:
                yield frame(event)
                after, said = event["seq"], time.monotonic()
            if len(page) == PAGE:
                continue
            if time.monotonic() - said >= HEARTBEAT:
                yield b": nothing new\n\n"
                said = time.monotonic()
            with suppress(TimeoutError):
                await asyncio.wait_for(happened.wait(), POLL)
