"""Errors over HTTP: problem details (RFC 9457), one kind per class of errors.

The ``type`` of a problem is ``urn:boclust:`` followed by the name of the class in lower case, so
that a client can raise the same error. Messages of a database go to the server's log only, because
they may name hosts, files and users.
"""

import logging
import re
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from boclust._data import kind_of, to_line
from boclust._validate import InvalidInputError
from boclust.study import errors

PREFIX = "urn:boclust:"
#: Seconds after which a client should repeat a request that a busy or lost database refused.
LATER = 1
_STATUS: dict[type[Exception], int] = {
    InvalidInputError: 422,
    errors.StudyNotFoundError: 404,
    errors.StudyExistsError: 409,
    errors.ConflictError: 409,
    errors.StudyStoppedError: 409,
    errors.StudyPausedError: 409,
    errors.NothingToAskError: 409,
    errors.BusyError: 503,
    errors.ServerLostError: 503,
    errors.ReadOnlyError: 503,
    errors.OlderSchemaError: 503,
    errors.NewerSchemaError: 503,
    errors.DiskFullError: 507,
    errors.CorruptError: 500,
    errors.StorageError: 500,
    errors.StudyError: 500,
}
#: Problems of the router.
_ROUTER = {
    404: ("no-such-page", "There is nothing at this address."),
    405: ("no-such-method", "This address does not accept this method."),
}
#: The argument that a message of ``boclust._validate`` names first.
_ARGUMENT = re.compile(r"(?P<name>[^:]+?)(: | must be )")
_log = logging.getLogger("boclust.server")


class Problem(HTTPException):
    """An error as an answer; ``kind`` identifies it, ``more`` has further fields."""

    def __init__(
        self, status: int, kind: str, detail: str, headers: Any = None, **more: Any
    ) -> None:
        super().__init__(status, detail, headers)
        self.kind = kind
        self.more = {name: value for name, value in more.items() if value is not None}

    def response(self) -> Response:
        """The answer as ``application/problem+json``, in ASCII: it may quote the request."""
        body = {
            "type": PREFIX + self.kind,
            "title": self.kind.replace("-", " ").capitalize().replace("json", "JSON"),
            "status": self.status_code,
            "detail": self.detail,
            **self.more,
        }
        content = to_line(body).encode()
        return Response(content, self.status_code, self.headers, "application/problem+json")


def problem_of(error: Exception) -> Problem:
    """The problem of any error, expected or not."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, RequestValidationError):
        return _of_validation(error)
    if isinstance(error, HTTPException):  # of the router
        kind, detail = _ROUTER.get(error.status_code, ("refused", error.detail))
        return Problem(error.status_code, kind, detail, error.headers)
    known = next((cls for cls in type(error).__mro__ if cls in _STATUS), None)
    if known is None:
        _log.error("unexpected", exc_info=error)
        return Problem(500, "internal", "An unexpected error: see the server's log.")
    status, kind, detail = _STATUS[known], kind_of(type(error)), str(error)
    if isinstance(error, errors.StorageError):
        _log.error("%s: %s", type(error).__name__, " ".join(detail.split()))
        detail = (type(error).__doc__ or "").splitlines()[0]
    again = isinstance(error, (errors.BusyError, errors.ServerLostError))
    found = _ARGUMENT.match(detail) if isinstance(error, InvalidInputError) else None
    return Problem(
        status, kind, detail, {"Retry-After": str(LATER)} if again else None,
        how=getattr(error, "how", None), argument=found["name"] if found else None,
    )  # fmt: skip


def _of_validation(error: RequestValidationError) -> Problem:
    """The problem of a request that does not fit the OpenAPI document: its first error."""
    first = error.errors()[0]
    place = [part for part in first["loc"] if isinstance(part, (str, int))]
    where = ".".join(str(part) for part in place[1:]) or str(place[0])
    if first["type"] == "json_invalid":
        return Problem(400, "no-json", f"The body is not JSON: {first['ctx']['error']}")
    return Problem(422, "invalid-input", f"{where}: {first['msg']}", argument=where)


def install(app: FastAPI) -> None:
    """Answer every error of a route with its problem."""

    async def answer(_request: Request, error: Exception) -> Response:
        return problem_of(error).response()

    for kind in (HTTPException, RequestValidationError, InvalidInputError, errors.StudyError):
        app.add_exception_handler(kind, answer)
