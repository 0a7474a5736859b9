"""The checks that every request passes before its route: host, origin, token, rate, size.

If the server has tokens, everything under /api needs one except the paths in ``OPEN``, so that a
new route is closed by default. The page's own files contain no data.

Requests that another site causes a browser to send are refused. The check of the host name prevents
DNS rebinding, where a page gives its own name the address of the server; an IP address cannot be
such a name. A request that may change something must be JSON, which no form can send, and must come
from a page of this server if the browser names an origin.
"""

import re
import time
from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boclust.server import limits
from boclust.server.auth import caller_of, sent_token
from boclust.server.context import Context
from boclust.server.problems import Problem, problem_of

API = "/api/v1"
OPEN = frozenset(f"{API}/{name}" for name in ("health", "login", "logout", "openapi.json"))
_SAFE = ("GET", "HEAD", "OPTIONS")
_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?")
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


class Gate:
    """The outermost middleware of the application."""

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
        """Refuse a request or pass it on; add the headers to every answer, and count it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        self._set_root_path(scope)
        began, status = time.perf_counter(), 0
        in_api = _path(scope).startswith("/api")

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                headers.setdefault("cache-control", "no-store" if in_api else "no-cache")
            await send(message)

        try:
            await self._app(scope, await self._admit(scope, receive), answer)
        except Exception as error:
            if status:  # the answer has begun: break it off, and let the server log the error
                raise
            await problem_of(error).response()(scope, receive, answer)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            seconds = time.perf_counter() - began
            self._context.metrics.count(scope["method"], route, status, seconds)

    def _set_root_path(self, scope: Scope) -> None:
        """Prefix the path with the one that a proxy shows, whether or not the proxy removed it."""
        mounted, own = scope.get("root_path", ""), self._context.root_path
        rest = _path(scope)
        if not rest.startswith(f"{own}/"):
            rest = own + rest
        scope["root_path"], scope["path"] = mounted + own, mounted + rest

    async def _admit(self, scope: Scope, receive: Receive) -> Receive:
        """Check a request and put its caller into the scope; returns how to read the body."""
        headers, path = Headers(scope=scope), _path(scope)
        _check_host(headers, self._hosts)
        _check_origin(scope["method"], headers)
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


def _path(scope: Scope) -> str:
    """The path without the prefix under which the application is mounted."""
    path: str = scope["path"]
    root: str = scope.get("root_path", "")
    return path[len(root) :] if root and path.startswith(root + "/") else path


def _check_host(headers: Headers, allowed: Collection[str]) -> None:
    """Accept IP addresses, localhost and the allowed host names; "*" allows all."""
    found = _HOST.fullmatch(headers.get("host", ""))
    name = found["name"].lower() if found else ""
    if not ("*" in allowed or name == "localhost" or name in allowed or _is_address(name)):
        raise Problem(
            421, "wrong-host",
            "The server does not answer to this host name: see boclust serve --allow-host.",
        )  # fmt: skip


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _check_origin(method: str, headers: Headers) -> None:
    """Require JSON from the same origin for every method that may change something."""
    if method in _SAFE:
        return
    origin = headers.get("origin")
    elsewhere = origin is not None and urlsplit(origin).netloc != headers.get("host")
    if elsewhere or headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Problem(403, "cross-site", "Requests from pages of other sites are refused.")
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Problem(415, "no-json", "Send Content-Type: application/json.")
