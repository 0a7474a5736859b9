"""The routes of the API: what they share."""

import json
import math
from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import JSONResponse

from boclust._data import to_line
from boclust.server.gate import API
from boclust.server.problems import Problem
from boclust.server.schemas import ProblemDetails

#: A study in a path.
StudyName = Annotated[
    str, Path(description="The name of the study, or ~NUMBER: the `path` in a list of studies.")
]

_CONTENT = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}}
_PROBLEMS = {
    400: "The body is not JSON, or has a number that JSON does not have",
    401: "No token, or a wrong one",
    403: "The token does not allow this, or the request comes from another site's page",
    404: "There is no such study, ask or event for this token",
    408: "The body arrived too slowly",
    409: "The request contradicts the log, or the study has ended or is paused",
    413: "The body is too large",
    415: "The content type is not JSON",
    421: "The server does not answer to this host name",
    422: "A field is invalid: the detail names it",
    429: "Too many requests",
    500: "The database is damaged, or an unexpected error",
    503: "The database is busy, unreachable or read-only",
    507: "The disk is full",
}
_PROBLEMS_OF_READS = (401, 403, 404, 421, 422, 429, 500, 503)


def router(tag: str) -> APIRouter:
    """A router for paths under /api/v1 that reads strict JSON."""
    return APIRouter(prefix=API, tags=[tag], route_class=_StrictRoute, redirect_slashes=False)


def reads(answer: Any) -> dict[str, Any]:
    """Settings of a route that changes nothing."""
    return _settings(answer, _PROBLEMS_OF_READS)


def reads_text(*media_types: str) -> dict[str, Any]:
    """Settings of a route that changes nothing and answers with a file or text."""
    settings = _settings(None, _PROBLEMS_OF_READS) | {"response_class": Response}
    content = {kind: {"schema": {"type": "string"}} for kind in media_types}
    settings["responses"][200] = {"description": "The file or text", "content": content}
    return settings


def writes(answer: Any, **more: Any) -> dict[str, Any]:
    """Settings of a route that may change something."""
    return _settings(answer, tuple(_PROBLEMS)) | more


def _settings(answer: Any, problems: tuple[int, ...]) -> dict[str, Any]:
    known = {
        status: {"model": ProblemDetails, "content": _CONTENT, "description": _PROBLEMS[status]}
        for status in problems
    }
    return {"response_model": answer, "response_class": Json, "responses": known}


class Json(JSONResponse):
    """An answer in ASCII, which lone surrogates in metadata do not break."""

    def render(self, content: Any) -> bytes:
        """Data classes become objects; infinite and undefined numbers become null."""
        return to_line(content).encode()


def strict_json(body: bytes) -> Any:
    """The content of a body; refuses NaN, infinity and numbers too large for a float."""
    try:
        return json.loads(body, parse_constant=_refuse, parse_float=_finite)
    except json.JSONDecodeError:
        raise
    except (ValueError, RecursionError):  # not UTF-8; thousands of digits or of brackets
        raise Problem(400, "no-json", "The body is not UTF-8, or too deep to read.") from None


def _refuse(number: str) -> Any:
    raise Problem(400, "no-json", f"The body has {number}, which is not a number in JSON.")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse(f"a number as large as {text[:40]}")


class _StrictRequest(Request):
    async def json(self) -> Any:
        return strict_json(await self.body())


class _StrictRoute(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        usual = super().get_route_handler()

        async def handler(request: Request) -> Response:
            return await usual(_StrictRequest(request.scope, request.receive))

        return handler
