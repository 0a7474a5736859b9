"""Errors as HTTP says them: problem details (RFC 9457), one for each class of error.

A problem's ``type`` is ``urn:boclust:`` and the name of the class in small letters, so that a
client can raise the same error again. What a database says stays in the server's log: it may name
hosts, files and users.
"""

import logging
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
#: Seconds after which to try again what a busy or lost database refused.
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
#: What the router itself refuses.
_ROUTER = {
    404: ("no-such-page", "There is nothing at this address."),
    405: ("no-such-method", "This address does not take this method."),
}
_log = logging.getLogger("boclust.server")


class Problem(HTTPException):
    """An answer that is an error; ``kind`` tells it apart from others, ``more`` says more."""

    def __init__(
        self, status: int, kind: str, detail: str, headers: Any = None, **more: Any
    ) -> None:
        super().__init__(status, detail, headers)
        self.kind = kind
        self.more = {name: value for name, value in more.items() if value is not None}

    def response(self) -> Response:
        """As ``application/problem+json``, in ASCII: whatever was sent may be quoted in it."""
        said = {
            "type": PREFIX + self.kind,
            "title": self.kind.replace("-", " ").capitalize().replace("json", "JSON"),
            "status": self.status_code,
            "detail": self.detail,
            **self.more,
        }
        content = to_line(said).encode()
        return Response(content, self.status_code, self.headers, "application/problem+json")


def problem_of(error: Exception) -> Problem:
    """The answer to an error, known or not."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, RequestValidationError):
        return _of_validation(error)
    if isinstance(error, HTTPException):  # of the router: no such page, no such method
        kind, detail = _ROUTER.get(error.status_code, ("refused", error.detail))
        return Problem(error.status_code, kind, detail, error.headers)
    known = next((cls for cls in type(error).__mro__ if cls in _STATUS), None)
    if known is None:
        _log.error("unexpected", exc_info=error)
        return Problem(500, "internal", "Something unexpected happened; the server's log has it.")
    status, kind, detail = _STATUS[known], kind_of(type(error)), str(error)
    if isinstance(error, errors.StorageError):
        _log.error("%s: %s", type(error).__name__, " ".join(detail.split()))
        detail = (type(error).__doc__ or "").splitlines()[0]
    again = isinstance(error, (errors.BusyError, errors.ServerLostError))
    named = isinstance(error, InvalidInputError) and ":" in detail
    return Problem(
        status, kind, detail, {"Retry-After": str(LATER)} if again else None,
        how=getattr(error, "how", None), argument=detail.partition(":")[0] if named else None,
    )  # fmt: skip


def _of_validation(error: RequestValidationError) -> Problem:
    """The first thing that is not as the description of the API says."""
    first = error.errors()[0]
    place = [part for part in first["loc"] if isinstance(part, (str, int))]
    where = ".".join(str(part) for part in place[1:]) or str(place[0])
    if first["type"] == "json_invalid":
        return Problem(400, "no-json", f"The body is no JSON: {first['ctx']['error']}")
    return Problem(422, "invalid-input", f"{where}: {first['msg']}", argument=where)


def install(app: FastAPI) -> None:
    """Answer every error that a route raises with its problem."""

    async def answer(_request: Request, error: Exception) -> Response:
        return problem_of(error).response()

    for kind in (HTTPException, RequestValidationError, InvalidInputError, errors.StudyError):
        app.add_exception_handler(kind, answer)
