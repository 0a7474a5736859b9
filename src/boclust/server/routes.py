"""How a route is declared: its answer, and the problems that any route may have."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Response

from boclust.server.answers import Json, StrictRoute
from boclust.server.gate import API
from boclust.server.models import ProblemDetails

#: A study in a path.
Named = Annotated[str, Path(description="Its name, or ~NUMBER: the `path` that a list gives.")]

_CONTENT = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}}
_PROBLEMS = {
    400: "The body is no JSON, or has a number that JSON does not have",
    401: "No token, or a wrong one",
    403: "The token may not do this, or another site's page asks",
    404: "There is no such study, ask or event for this token",
    408: "The body came too slowly",
    409: "It contradicts what is recorded, or the study has ended or is paused",
    413: "The body is too large",
    415: "The body is not said to be JSON",
    421: "The server does not answer to this host name",
    422: "Something is not accepted: the detail names it",
    429: "Too many requests",
    500: "The database is damaged, or something unexpected happened",
    503: "The database is busy, cannot be reached or cannot be written",
    507: "The disk is full",
}
_LOOKING = (401, 403, 404, 421, 422, 429, 500, 503)


def router(tag: str) -> APIRouter:
    """Routes under /api/v1 that read strict JSON."""
    return APIRouter(prefix=API, tags=[tag], route_class=StrictRoute, redirect_slashes=False)


def looks(answer: Any, **more: Any) -> dict[str, Any]:
    """What is said of a route that changes nothing."""
    return _said(answer, _LOOKING, more)


def gives(*media_types: str) -> dict[str, Any]:
    """What is said of a route that changes nothing and answers with a file or a text."""
    said = _said(None, _LOOKING, {"response_class": Response})
    content = {kind: {"schema": {"type": "string"}} for kind in media_types}
    said["responses"][200] = {"description": "As it comes", "content": content}
    return said


def changes(answer: Any, **more: Any) -> dict[str, Any]:
    """What is said of a route that may change something."""
    return _said(answer, tuple(_PROBLEMS), more)


def _said(answer: Any, problems: tuple[int, ...], more: dict[str, Any]) -> dict[str, Any]:
    known = {
        status: {"model": ProblemDetails, "content": _CONTENT, "description": _PROBLEMS[status]}
        for status in problems
    }
    return {"response_model": answer, "response_class": Json, "responses": known, **more}
