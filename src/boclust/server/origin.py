"""Requests that other sites make a browser send are refused.

The host is checked against a page that gives its own name the server's address (DNS rebinding): an
address in numbers cannot be such a name. What changes something must be JSON, which no form of
another site sends, and must come from a page of this server where the browser says where from.
"""

import re
from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from boclust.server.problems import Problem

_SAFE = ("GET", "HEAD", "OPTIONS")
_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?")


def check_host(headers: Headers, allowed: Collection[str]) -> None:
    """Only names by which the server is meant to be called; "*" allows all."""
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


def check_source(method: str, headers: Headers) -> None:
    """JSON, from here: for every method that may change something."""
    if method in _SAFE:
        return
    origin = headers.get("origin")
    elsewhere = origin is not None and urlsplit(origin).netloc != headers.get("host")
    if elsewhere or headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Problem(403, "cross-site", "Requests from pages of other sites are refused.")
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Problem(415, "no-json", "Send Content-Type: application/json.")
