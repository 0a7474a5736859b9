"""The server process: where it listens, what it prints, how it ends."""

import logging
import signal
import socket
import sys
from collections.abc import Callable
from ipaddress import ip_address
from types import FrameType

import uvicorn
from fastapi import FastAPI

from boclust._validate import invalid, shown
from boclust.server.context import Context
from boclust.study import Study

#: Seconds that a stopping server allows pending requests: a write may wait a minute for the lock.
GRACE = 75
Say = Callable[[str], object]


def warm_up() -> None:
    """Load or compile the kernels of a study, so that no request waits for them."""
    study = Study.create("sqlite://", "warm", 3, 2, 0.1, key="again")
    study.tell_many([(0, 0.0), (1, 0.1), (2, 9.0)])
    study.ask()
    for query in (study.status, study.explain, study.trace, study.picture, study.proportions):
        query()


def serve(
    app: FastAPI, host: str, port: int, *, without_tokens: bool, log: bool, say: Say,
    prepare: Callable[[], object] = warm_up, query: str = "",
) -> None:  # fmt: skip
    """Serve until a signal arrives; refuses a public address without tokens.

    ``prepare`` is called when the socket is bound. ``query`` is appended to the printed address.
    """
    context: Context = app.state.boclust
    context.keyring.refresh()
    family, address = _address(host, port)
    if not (ip_address(address[0]).is_loopback or context.keyring.is_used or without_tokens):
        raise invalid(
            "host",
            "127.0.0.1 while there are no tokens (boclust token create NAME; or --without-tokens)",
            f"{shown(host)}, which others can reach",
        )
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
    """A socket with the protocol TCP: only on such a one asyncio sends small answers at once."""
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen()
    except OSError as error:
        made.close()
        problem = f"{address[0]} and port {address[1]} ({error.strerror})"
        accepted = "an address of this computer with a free port (--port 0 picks one)"
        raise invalid("host", accepted, problem) from None
    return made


def _address(host: str, port: int) -> tuple[socket.AddressFamily, tuple[str, int]]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise invalid("host", "a known address or host name", shown(host)) from None
    family, _, _, _, (address, *_) = found[0]
    return family, (str(address), port)


class _Server(uvicorn.Server):
    """Prints its address when it answers, and ends its streams when it stops."""

    def __init__(self, config: uvicorn.Config, context: Context, where: str, say: Say) -> None:
        super().__init__(config)
        self._context = context
        self._where = where
        self._say = say

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Print the address once the server answers."""
        await super().startup(sockets)
        place = self._context.studies.store.place
        self._say(f"Studies of {place} at {self._where}")
        if self._context.keyring.is_used:
            self._say("Requests need a token: create one with boclust token create NAME.")
        else:
            self._say("No tokens: anyone who can reach it may do everything (see boclust token).")
        self._say("Press Ctrl-C to stop.")

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Answer pending requests after the first signal, exit at once after the second."""
        if self.should_exit:
            signal.signal(sig, signal.SIG_DFL)
            signal.raise_signal(sig)
        self.should_exit = True
        self._context.notifier.close()
