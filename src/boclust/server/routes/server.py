"""Routes of the server itself: health, the caller, login, metrics."""

from typing import Any

from fastapi import Request, Response

import boclust
from boclust.server import schemas
from boclust.server.auth import COOKIE, Anyone, Caller, Reader, caller_of
from boclust.server.context import Context, Metrics
from boclust.server.problems import Problem
from boclust.server.routes import Json, reads, reads_text, router, writes

routes = router("server")


@routes.get("/health", **reads(schemas.Health))
def health(request: Request) -> Response:
    """Whether the server and its database answer; needs no token."""
    context: Context = request.app.state.boclust
    context.studies.check()
    context.keyring.refresh()
    return Json(schemas.Health("ok", boclust.__version__, context.keyring.is_used))


@routes.get("/whoami", **reads(schemas.Who))
def whoami(server: Anyone) -> Response:
    """What the token of this request allows; without tokens, everyone may do everything."""
    return Json(_who(server.caller))


@routes.post("/login", **writes(schemas.Who))
async def login(request: Request, body: schemas.LoginRequest) -> Response:
    """Put a token into a cookie that scripts cannot read, for the page."""
    context: Context = request.app.state.boclust
    caller = await caller_of(context.keyring, body.token)
    answer = Json(_who(caller))
    if caller.tokens:
        answer.set_cookie(COOKIE, body.token, **_cookie(request))
    return answer


@routes.post("/logout", **writes(schemas.Empty))
def logout(request: Request, body: schemas.Empty) -> Response:
    """Delete the cookie; needs no token."""
    answer = Json({})
    answer.delete_cookie(COOKIE, **_cookie(request))
    return answer


@routes.get("/metrics", **reads_text("text/plain"))
def metrics(server: Reader) -> Response:
    """Metrics in the text format of Prometheus, for tokens that cover all studies."""
    if server.caller.studies is not None:
        raise Problem(403, "role", "The token covers some studies only; metrics are about all.")
    found = server.context.metrics
    found.streams.set(server.context.notifier.count)
    return Response(found.text(), media_type=Metrics.CONTENT_TYPE)


def _who(caller: Caller) -> schemas.Who:
    studies = None if caller.studies is None else sorted(caller.studies)
    return schemas.Who(caller.tokens, caller.name, caller.role, studies)


def _cookie(request: Request) -> dict[str, Any]:
    """Settings of a cookie that browsers send to this server only, and never for another site."""
    return {
        "httponly": True,
        "samesite": "strict",
        "path": request.scope.get("root_path") or "/",
        "secure": request.url.scheme == "https",
    }
