"""Routes that are about no study: health, who calls, logging in, metrics."""

from typing import Any

from fastapi import Request, Response

import boclust
from boclust.server import bodies, models
from boclust.server.access import COOKIE, Anyone, Caller, Reader, caller_of
from boclust.server.answers import Json
from boclust.server.context import Context
from boclust.server.metrics import CONTENT_TYPE
from boclust.server.problems import Problem
from boclust.server.routes import changes, gives, looks, router

routes = router("server")


@routes.get("/health", **looks(models.Health))
def health(request: Request) -> Response:
    """Whether the server and its database answer; open to all."""
    context: Context = request.app.state.boclust
    context.studies.check()
    context.keyring.refresh()
    said = {"status": "ok", "version": boclust.__version__, "tokens": context.keyring.is_used}
    return Json(said)


@routes.get("/whoami", **looks(models.Who))
def whoami(here: Anyone) -> Response:
    """What the token that is sent may do; where there are no tokens, everybody may do all."""
    return Json(_who(here.caller))


@routes.post("/login", **changes(models.Who))
async def login(request: Request, body: bodies.Login) -> Response:
    """Keep a token in a cookie that scripts cannot read, for the page."""
    context: Context = request.app.state.boclust
    caller = await caller_of(context.keyring, body.token)
    answer = Json(_who(caller))
    if caller.tokens:
        answer.set_cookie(COOKIE, body.token, **_cookie(request))
    return answer


@routes.post("/logout", **changes(models.Nothing))
def logout(request: Request, body: bodies.Nothing) -> Response:
    """Forget the cookie; open to all."""
    answer = Json({})
    answer.delete_cookie(COOKIE, **_cookie(request))
    return answer


@routes.get("/metrics", **gives("text/plain"))
def metrics(here: Reader) -> Response:
    """Counts and times in the text format of Prometheus, for tokens that see all studies."""
    if here.caller.studies is not None:
        raise Problem(403, "role", "The token is for some studies only; metrics are about all.")
    here.context.metrics.streams.set(here.context.news.count)
    return Response(here.context.metrics.text(), media_type=CONTENT_TYPE)


def _who(caller: Caller) -> dict[str, Any]:
    studies = None if caller.studies is None else sorted(caller.studies)
    return {
        "tokens": caller.tokens, "name": caller.name, "role": caller.role, "studies": studies
    }  # fmt: skip


def _cookie(request: Request) -> dict[str, Any]:
    """Sent back to this server only, never with a request that another site caused."""
    return {
        "httponly": True,
        "samesite": "strict",
        "path": request.scope.get("root_path") or "/",
        "secure": request.url.scheme == "https",
    }
