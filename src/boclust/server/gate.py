"""What every request passes before a route sees it: host, source, token, rate, size.

Nothing under /api is open without a token, where there are tokens, but what ``OPEN`` lists; a route
that is added is closed by itself. The page's own files hold no data.
"""

import time
from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boclust.server import limits, origin
from boclust.server.access import caller_of, sent_token
from boclust.server.context import Context
from boclust.server.problems import problem_of

API = "/api/v1"
OPEN = frozenset(f"{API}/{name}" for name in ("health", "login", "logout", "openapi.json"))
_HEADERS = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'self'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


def path_of(scope: Scope) -> str:
    """The path without the part under which the application is mounted."""
    path: str = scope["path"]
    root: str = scope.get("root_path", "")
    return path[len(root) :] if root and path.startswith(root + "/") else path


class Gate:
    """The outermost part of the application."""

    def __init__(
        self, app: ASGIApp, context: Context, hosts: Collection[str], rate: float | None,
        max_body: int,
    ) -> None:  # fmt: skip
        self._app = app
        self._context = context
        self._hosts = frozenset(host.lower() for host in hosts)
        self._rate = limits.Rate(rate)
        self._max_body = max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on; every answer has the headers, and is counted."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        self._place(scope)
        began, status = time.perf_counter(), 0
        in_api = path_of(scope).startswith("/api")

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                headers.setdefault("cache-control", "no-store" if in_api else "no-cache")
            await send(message)

        try:
            await self._app(scope, await self._admitted(scope, receive), answer)
        except Exception as error:
            if status:  # in the middle of an answer: it breaks off, and the log says why
                raise
            await problem_of(error).response()(scope, receive, answer)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            taken = time.perf_counter() - began
            self._context.metrics.answered(scope["method"], route, status, taken)

    def _place(self, scope: Scope) -> None:
        """Say where a proxy shows this: the path has that in front, also if it was cut off."""
        mounted, own = scope.get("root_path", ""), self._context.root_path
        rest = path_of(scope)
        if not rest.startswith(f"{own}/"):
            rest = own + rest
        scope["root_path"], scope["path"] = mounted + own, mounted + rest

    async def _admitted(self, scope: Scope, receive: Receive) -> Receive:
        """Who calls is noted in the scope; returns how to read the body, which has come."""
        headers, path = Headers(scope=scope), path_of(scope)
        origin.check_host(headers, self._hosts)
        origin.check_source(scope["method"], headers)
        who = (scope.get("client") or ("unknown",))[0]
        if path.startswith("/api") and path not in OPEN:
            try:
                caller = await caller_of(self._context.keyring, sent_token(headers))
            except Exception:
                self._rate.take(who)
                raise
            scope["boclust.caller"] = caller
            who = caller.id or who
        self._rate.take(who)
        return await limits.whole_body(headers, receive, self._max_body)
