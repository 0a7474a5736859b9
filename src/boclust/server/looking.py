"""Routes that look at studies."""

import os
import tempfile
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import Header, Query, Response
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, StreamingResponse

from boclust._data import explanation
from boclust.server import models, stream
from boclust.server.access import Here, Reader
from boclust.server.answers import Json
from boclust.server.problems import Problem
from boclust.server.routes import Named, gives, looks, router
from boclust.server.studies import segment

routes = router("looking")
_PARQUET = "application/vnd.apache.parquet"
After = Annotated[int, Query(ge=0, le=2**62, description="Events with larger numbers only.")]


@routes.get("/studies", **looks(models.Summaries))
def list_studies(
    here: Reader,
    after: Annotated[str, Query(max_length=2000, description="Names that follow this one.")] = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    """The studies, by name, each in a few words."""
    found = here.context.studies.page(after, limit, here.caller.studies)
    return Json({"studies": found, "next": found[-1]["name"] if len(found) == limit else None})


@routes.get("/studies/{study}", **looks(models.Whole))
def status(here: Reader, study: Named) -> Response:
    """Where a study stands, and what it was created with."""
    one = here.study(study)
    path = segment(one.name, one.parameters["id"])
    return Json({"status": one.status(), "parameters": one.parameters, "path": path})


@routes.get("/studies/{study}/explain", **looks(models.Explanation))
def explain(here: Reader, study: Named) -> Response:
    """Why the next arm is the next, and how far the certificate is."""
    one = here.study(study)
    return Json(explanation(one.explain(), [arm.name for arm in one.arms]))


@routes.get("/studies/{study}/history", **looks(models.Events))
def history(
    here: Reader, study: Named, after: After = 0, limit: Annotated[int, Query(ge=1, le=1000)] = 100
) -> Response:
    """What happened, in order, a page at a time."""
    found = list(here.study(study).history(after, limit))
    return Json({"events": found, "next": found[-1]["seq"] if len(found) == limit else None})


@routes.get("/studies/{study}/trace", **looks(models.Trace))
def trace(here: Reader, study: Named) -> Response:
    """How the evidence grew, in at most 2,000 points."""
    return Json(here.study(study).trace())


@routes.get("/studies/{study}/picture", **looks(models.Picture))
def picture(here: Reader, study: Named) -> Response:
    """Where the arms are, with confidence regions, and the tree that joins them."""
    return Json(here.study(study).picture())


@routes.get("/studies/{study}/proportions", **looks(models.Proportions))
def proportions(here: Reader, study: Named) -> Response:
    """How the samples are spread over the arms, beside the best way to spread them."""
    return Json(here.study(study).proportions())


@routes.get("/studies/{study}/export", **gives("text/csv", _PARQUET))
def export(here: Reader, study: Named, format: Literal["csv", "parquet"] = "csv") -> Response:
    """All values as a file, voided ones marked as such."""
    one = here.study(study)
    headers = {"content-disposition": _attachment(one.name, format)}
    if format == "csv":
        return StreamingResponse(one.export_csv(), headers=headers, media_type="text/csv")
    handle, path = tempfile.mkstemp(suffix=".parquet")
    os.close(handle)
    gone = BackgroundTask(os.unlink, path)
    try:
        one.export(Path(path))
    except BaseException:
        os.unlink(path)
        raise
    return FileResponse(path, headers=headers, media_type=_PARQUET, background=gone)


def _attachment(name: str, format: str) -> str:
    """A file name that every browser takes, and the true one for those that can."""
    plain = "".join(c if c.isascii() and (c.isalnum() or c in " ._-") else "_" for c in name)
    true = quote(f"{name}.{format}", safe="")
    return f"attachment; filename=\"{plain}.{format}\"; filename*=UTF-8''{true}"


@routes.get("/studies/{study}/events", **gives("text/event-stream"))
def events(
    here: Reader, study: Named, after: After = 0,
    last_event_id: Annotated[str | None, Header(pattern="^[0-9]{1,18}$")] = None,
) -> Response:  # fmt: skip
    """The events after a number, then each as it happens (text/event-stream)."""
    name = here.study(study).name
    if here.context.news.count >= stream.MOST:
        raise Problem(503, "too-many", "Too many streams are open.", {"Retry-After": "60"})
    first = after if last_event_id is None else int(last_event_id)
    sent = stream.stream(here.context.news, name, lambda last: _page(here, name, last), first)
    return StreamingResponse(sent, media_type="text/event-stream")


def _page(here: Here, name: str, after: int) -> list[dict[str, Any]]:
    """The next events, as long as the token that began the stream stands."""
    here.context.keyring.refresh()
    if here.caller.id is None:
        if here.context.keyring.is_used:
            raise Problem(401, "no-token", "The server wants tokens now.")
    elif not here.context.keyring.stands(here.caller.id):
        raise Problem(401, "wrong-token", "The token was revoked.")
    return list(here.context.studies.open(name).history(after, stream.PAGE))
