"""Who calls, and what they may do.

Every route names the role that it needs by the type of its first argument (``Anyone``, ``Reader``,
``Teller``, ``Admin``). The gate has found out who calls by then, and where there are tokens it lets
nobody past without one: see ``gate``.
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
from boclust.server.tokens import ROLES, Keyring
from boclust.study import Study, StudyNotFoundError

COOKIE = "boclust_token"
_ASK = {"WWW-Authenticate": "Bearer"}


@dataclass(frozen=True)
class Caller:
    """Whoever calls: a token, or anybody where there are none."""

    tokens: bool
    id: str | None = None
    name: str | None = None
    role: str = "admin"
    studies: frozenset[str] | None = None

    def has(self, role: str) -> bool:
        """Whether what this role may do is allowed."""
        return ROLES.index(self.role) >= ROLES.index(role)

    def sees(self, name: str) -> bool:
        """Whether there is a study of that name for this caller."""
        return self.studies is None or name in self.studies


def sent_token(headers: Headers) -> str | None:
    """The token that was sent: in the header, or by the page as a cookie."""
    if (header := headers.get("authorization")) is not None:
        scheme, _, token = header.partition(" ")
        return token.strip() if scheme.lower() == "bearer" else ""
    return cookie_parser(headers.get("cookie", "")).get(COOKIE)


async def caller_of(keyring: Keyring, token: str | None) -> Caller:
    """Whose token that is; where tokens are used, nobody is let in without one."""
    if not keyring.is_fresh:
        await run_in_threadpool(keyring.refresh)
    if not keyring.is_used:
        return Caller(tokens=False)
    if token is None:
        raise Problem(401, "no-token", "This server wants a token.", _ASK)
    if (found := keyring.find(token)) is None:
        raise Problem(401, "wrong-token", "The token is wrong, or was revoked.", _ASK)
    only = None if found.studies is None else frozenset(found.studies)
    return Caller(True, found.id, found.name, found.role, only)


@dataclass(frozen=True)
class Here:
    """The server as one caller sees it: studies that the token is not for do not exist."""

    context: Context
    caller: Caller

    def study(self, path: str) -> Study:
        """A study, to look at."""
        name = self.context.studies.name_of(path)
        if not self.caller.sees(name):
            raise _missing(path)
        try:
            return self.context.studies.open(name)
        except StudyNotFoundError:
            raise _missing(path) from None

    @contextmanager
    def writing(self, path: str) -> Iterator[Study]:
        """A study, to write to; those who watch it are told."""
        study = self.study(path)
        yield study
        self.context.news.tell(study.name)


def _missing(path: str) -> StudyNotFoundError:
    return StudyNotFoundError(f"there is no study {path!r}")


#: How a token is sent, for the description of the API; the gate has read it already.
_WAYS = (
    Depends(HTTPBearer(auto_error=False, description="A token: boc_ID_SECRET")),
    Depends(APIKeyCookie(name=COOKIE, auto_error=False, description="What the page uses")),
)


class Needs:
    """Lets those past who have a role; None: anyone whom the gate lets in."""

    def __init__(self, role: str | None) -> None:
        self.role = role

    async def __call__(
        self, request: Request, bearer: Annotated[Any, _WAYS[0]], cookie: Annotated[Any, _WAYS[1]]
    ) -> Here:
        """The server as the caller may see it; the last two arguments only describe the API."""
        caller: Caller = request.scope["boclust.caller"]
        if self.role is not None and not caller.has(self.role):
            detail = f"This needs a token with the role {self.role!r}; yours has {caller.role!r}."
            raise Problem(403, "role", detail)
        return Here(request.app.state.boclust, caller)


Anyone = Annotated[Here, Depends(Needs(None))]
Reader = Annotated[Here, Depends(Needs("read"))]
Teller = Annotated[Here, Depends(Needs("tell"))]
Admin = Annotated[Here, Depends(Needs("admin"))]
