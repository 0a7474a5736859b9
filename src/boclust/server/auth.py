"""Who calls, and what they may do.

The type of a route's first argument (``Anyone``, ``Reader``, ``Teller``, ``Admin``) names the role
that it needs. The gate has identified the caller before, and if the server has tokens it refuses
every request without one: see ``gate``.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends
from fastapi.security import APIKeyCookie, HTTPBearer
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request, cookie_parser

from boclust.server.context import Context
from boclust.server.problems import Problem
from boclust.server.tokens import ROLES, Keyring, Role
from boclust.study import Study, StudyNotFoundError

COOKIE = "boclust_token"
_BEARER = {"WWW-Authenticate": "Bearer"}


@dataclass(frozen=True)
class Caller:
    """The owner of a token, or anyone if the server has no tokens."""

    tokens: bool
    id: str | None = None
    name: str | None = None
    role: Role = "admin"
    studies: frozenset[str] | None = None

    def has(self, role: Role) -> bool:
        """Whether the caller may do everything that this role allows."""
        return ROLES.index(self.role) >= ROLES.index(role)

    def sees(self, name: str) -> bool:
        """Whether the caller may see a study with that name."""
        return self.studies is None or name in self.studies


def sent_token(headers: Headers) -> str | None:
    """The token of a request: from the header, or from the page's cookie."""
    if (header := headers.get("authorization")) is not None:
        scheme, _, token = header.partition(" ")
        return token.strip() if scheme.lower() == "bearer" else ""
    return cookie_parser(headers.get("cookie", "")).get(COOKIE)


async def caller_of(keyring: Keyring, token: str | None) -> Caller:
    """The owner of a token; refuses callers without a valid one if the server has tokens."""
    if not keyring.is_fresh:
        await run_in_threadpool(keyring.refresh)
    if not keyring.is_used:
        return Caller(tokens=False)
    if token is None:
        raise Problem(401, "no-token", "This server requires a token.", _BEARER)
    if (found := keyring.find(token)) is None:
        raise Problem(401, "wrong-token", "The token is wrong or revoked.", _BEARER)
    only = None if found.studies is None else frozenset(found.studies)
    return Caller(True, found.id, found.name, found.role, only)


@dataclass(frozen=True)
class ServerView:
    """The server as one caller sees it, without the studies that the token does not cover."""

    context: Context
    caller: Caller

    def study(self, path: str) -> Study:
        """A study to read."""
        name = self.context.studies.name_of(path)
        if not self.caller.sees(name):
            raise _missing(path)
        try:
            return self.context.studies.open(name)
        except StudyNotFoundError:
            raise _missing(path) from None

    @contextmanager
    def writing(self, path: str) -> Iterator[Study]:
        """A study to write to; afterwards its streams are notified."""
        study = self.study(path)
        yield study
        self.context.notifier.notify(study.name)


def _missing(path: str) -> StudyNotFoundError:
    return StudyNotFoundError(f"there is no study {path!r}")


#: How to send a token, for the OpenAPI document only: the gate reads tokens.
_WAYS = (
    Depends(HTTPBearer(auto_error=False, description="A token: boc_ID_SECRET")),
    Depends(APIKeyCookie(name=COOKIE, auto_error=False, description="The page's cookie")),
)


class Needs:
    """A dependency that refuses callers without a role; None admits all that pass the gate."""

    def __init__(self, role: Role | None) -> None:
        self.role = role

    async def __call__(
        self, request: Request, bearer: Annotated[Any, _WAYS[0]], cookie: Annotated[Any, _WAYS[1]]
    ) -> ServerView:
        """The server as the caller sees it; the last two arguments only document the API."""
        caller: Caller = request.scope["boclust.caller"]
        if self.role is not None and not caller.has(self.role):
            detail = f"This needs a token with the role {self.role!r}; yours has {caller.role!r}."
            raise Problem(403, "role", detail)
        return ServerView(request.app.state.boclust, caller)


Anyone = Annotated[ServerView, Depends(Needs(None))]
Reader = Annotated[ServerView, Depends(Needs("read"))]
Teller = Annotated[ServerView, Depends(Needs("tell"))]
Admin = Annotated[ServerView, Depends(Needs("admin"))]
