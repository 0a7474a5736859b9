"""Event streams: the events of a study as they happen (text/event-stream)."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from starlette.concurrency import run_in_threadpool

from boclust._data import to_line
from boclust.server.problems import Problem, problem_of
from boclust.study import StudyError

#: Seconds after which a silent stream sends a comment, so that proxies keep it open.
HEARTBEAT = 15.0
#: Seconds between queries of the log: others may write to the same database.
POLL = 1.0
#: Events per query.
PAGE = 1000
#: The largest number of open streams, each of which polls the log.
MOST = 256

Rows = list[dict[str, Any]]


class Notifier:
    """Wakes the streams of a study when this server has written to it."""

    def __init__(self) -> None:
        self.closing = False
        #: The number of open streams.
        self.count = 0
        self._listeners: dict[str, set[tuple[asyncio.AbstractEventLoop, asyncio.Event]]] = {}

    @contextmanager
    def listening(self, study: str) -> Iterator[asyncio.Event]:
        """An event of the server's loop that is set after every write to the study."""
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

    def notify(self, study: str) -> None:
        """Wake the streams of a study; any thread may call this."""
        for loop, event in tuple(self._listeners.get(study, ())):
            loop.call_soon_threadsafe(event.set)

    def close(self) -> None:
        """End all streams, so that the server can stop."""
        self.closing = True
        for study in tuple(self._listeners):
            self.notify(study)


def frame(event: dict[str, Any]) -> bytes:
    """An event in the format of a browser's EventSource."""
    kind = event["kind"].replace(" ", "-")
    return f"id: {event['seq']}\nevent: {kind}\ndata: {to_line(event)}\n\n".encode()


async def stream(
    notifier: Notifier, study: str, read: Callable[[int], Rows], after: int
) -> AsyncIterator[bytes]:
    """All events after a number, then each new one as it happens.

    ``read`` returns the next page of events after a number. An error in it ends the stream; clients
    then open another one after the last event that they have.
    """
    with notifier.listening(study) as happened:
        yield b"retry: 1000\n\n"
        sent = time.monotonic()
        while not notifier.closing:
            happened.clear()
            try:
                page = await run_in_threadpool(read, after)
            except (Problem, StudyError) as error:
                problem_of(error)  # logs what the database said
                return
            for event in page:
                yield frame(event)
                after, sent = event["seq"], time.monotonic()
            if len(page) == PAGE:
                continue
            if time.monotonic() - sent >= HEARTBEAT:
                yield b": nothing new\n\n"
                sent = time.monotonic()
            with suppress(TimeoutError):
                await asyncio.wait_for(happened.wait(), POLL)
