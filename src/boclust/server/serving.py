"""A server process: where it listens, what it prints, how it ends."""

import logging
import signal
import socket
import sys
from collections.abc import Callable
from ipaddress import ip_address
from types import FrameType

import uvicorn
from fastapi import FastAPI

from boclust._validate import fail, shown
from boclust.server.context import Context
from boclust.study import Study

#: Seconds for requests that have come: a write waits up to a minute for others.
GRACE = 75
Say = Callable[[str], object]


def warm_up() -> None:
    """Load or compile what a study needs before a request waits for it, and all others with it."""
    study = Study.create("sqlite://", "warm", 3, 2, 0.1, key="again")
    study.tell_many([(0, 0.0), (1, 0.1), (2, 9.0)])
    study.ask()
    for look in (study.status, study.explain, study.trace, study.picture, study.proportions):
        look()


def serve(
    app: FastAPI, host: str, port: int, *, without_tokens: bool, log: bool, say: Say,
    prepare: Callable[[], object] = warm_up, query: str = "",
) -> None:  # fmt: skip
    """Serve until a signal comes; an address that others can reach needs tokens.

    ``prepare`` is called when nothing stands in the way any more; ``query`` says what the address
    that is printed shows.
    """
    context: Context = app.state.boclust
    context.keyring.refresh()
    family, address = _address(host, port)
    if not (ip_address(address[0]).is_loopback or context.keyring.is_used or without_tokens):
        raise fail(
            "host", f"{shown(host)} can be reached by others, and there are no tokens",
            "127.0.0.1, or a token (boclust token create NAME), or --without-tokens",
        )  # fmt: skip
    logging.basicConfig(
        stream=sys.stderr, level=logging.INFO if log else logging.WARNING,
        format="%(asctime)s %(levelname)s %(message)s",
    )  # fmt: skip
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    config = uvicorn.Config(
        app, log_config=None, access_log=log, server_header=False, timeout_graceful_shutdown=GRACE
    )
    with _listening(family, address) as listening:
        shown_host = f"[{host}]" if family == socket.AF_INET6 and ":" in host else host
        where = f"http://{shown_host}:{listening.getsockname()[1]}{context.root_path}/{query}"
        prepare()
        _Server(config, context, where, say).run([listening])
    say("Stopped.")


def _listening(family: socket.AddressFamily, address: tuple[str, int]) -> socket.socket:
    """A socket that is said to be TCP: asyncio sends small answers at once only on such a one."""
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen()
    except OSError as error:
        made.close()
        problem = f"{address[0]} and port {address[1]} cannot be listened at: {error.strerror}"
        raise fail("host", problem, "a free port of this computer (--port 0 finds one)") from None
    return made


def _address(host: str, port: int) -> tuple[socket.AddressFamily, tuple[str, int]]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise fail("host", f"is {shown(host)}, which is not known", "an address or name") from None
    family, _, _, _, (address, *_) = found[0]
    return family, (str(address), port)


class _Server(uvicorn.Server):
    """Says where it is, once it is; ends its streams when it is to stop."""

    def __init__(self, config: uvicorn.Config, context: Context, where: str, say: Say) -> None:
        super().__init__(config)
        self._context = context
        self._where = where
        self._say = say

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Print the address when it answers."""
        await super().startup(sockets)
        place = self._context.studies.store.place
        self._say(f"Studies of {place} at {self._where}")
        if self._context.keyring.is_used:
            self._say("A token is needed: boclust token create NAME makes one.")
        else:
            self._say("No tokens: everybody who can reach it may do all (boclust token --help).")
        self._say("Ctrl-C stops it.")

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first signal: answer what has come. The second: at once, which no write minds."""
        if self.should_exit:
            signal.signal(sig, signal.SIG_DFL)
            signal.raise_signal(sig)
        self.should_exit = True
        self._context.news.close()
