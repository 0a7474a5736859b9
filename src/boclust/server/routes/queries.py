"""Routes that read studies."""

import os
import tempfile
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import Header, Query, Response
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, StreamingResponse

from boclust.server import schemas, stream
from boclust.server.auth import Reader, ServerView
from boclust.server.problems import Problem
from boclust.server.routes import Json, StudyName, reads, reads_text, router
from boclust.server.studies import segment
from boclust.study import Picture, Proportions, Trace
from boclust.study.status import PlainExplanation

routes = router("queries")
_PARQUET = "application/vnd.apache.parquet"
After = Annotated[int, Query(ge=0, le=2**62, description="Only events with larger numbers.")]


@routes.get("/studies", **reads(schemas.StudyPage))
def list_studies(
    server: Reader,
    after: Annotated[str, Query(max_length=2000, description="Only names after this one.")] = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    """Summaries of the studies, in the order of their names."""
    found = server.context.studies.page(after, limit, server.caller.studies)
    return Json(schemas.StudyPage(found, found[-1].name if len(found) == limit else None))


@routes.get("/studies/{study}", **reads(schemas.StudyDetails))
def status(server: Reader, study: StudyName) -> Response:
    """The status and the parameters of a study."""
    one = server.study(study)
    parameters = one.parameters
    path = segment(one.name, parameters["id"])
    return Json(schemas.StudyDetails(one.status(), parameters, path))


@routes.get("/studies/{study}/explain", **reads(PlainExplanation))
def explain(server: Reader, study: StudyName) -> Response:
    """Why the study asks for this arm next, and how far the certificate is."""
    one = server.study(study)
    return Json(PlainExplanation.of(one.explain(), [arm.name for arm in one.arms]))


@routes.get("/studies/{study}/history", **reads(schemas.EventPage))
def history(
    server: Reader, study: StudyName, after: After = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:  # fmt: skip
    """The events in their order, page by page."""
    found = list(server.study(study).history(after, limit))
    return Json({"events": found, "next": found[-1]["seq"] if len(found) == limit else None})


@routes.get("/studies/{study}/trace", **reads(Trace))
def trace(server: Reader, study: StudyName) -> Response:
    """The evidence over time, at most 2,000 points."""
    return Json(server.study(study).trace())


@routes.get("/studies/{study}/picture", **reads(Picture))
def picture(server: Reader, study: StudyName) -> Response:
    """The arms as points with confidence regions, and the single-linkage tree."""
    return Json(server.study(study).picture())


@routes.get("/studies/{study}/proportions", **reads(Proportions))
def proportions(server: Reader, study: StudyName) -> Response:
    """The share of each arm in the samples so far, and its optimal share."""
    return Json(server.study(study).proportions())


@routes.get("/studies/{study}/export", **reads_text("text/csv", _PARQUET))
def export(server: Reader, study: StudyName, format: Literal["csv", "parquet"] = "csv") -> Response:
    """All values as a file; a column marks the voided ones."""
    one = server.study(study)
    headers = {"content-disposition": _attachment(one.name, format)}
    if format == "csv":
        return StreamingResponse(one.export_csv(), headers=headers, media_type="text/csv")
    handle, path = tempfile.mkstemp(suffix=".parquet")
    os.close(handle)
    remove = BackgroundTask(os.unlink, path)
    try:
        one.export(Path(path))
    except BaseException:
        os.unlink(path)
        raise
    return FileResponse(path, headers=headers, media_type=_PARQUET, background=remove)


def _attachment(name: str, format: str) -> str:
    """A file name that every browser accepts, and the exact one for those that know RFC 5987."""
    plain = "".join(c if c.isascii() and (c.isalnum() or c in " ._-") else "_" for c in name)
    exact = quote(f"{name}.{format}", safe="")
    return f"attachment; filename=\"{plain}.{format}\"; filename*=UTF-8''{exact}"


@routes.get("/studies/{study}/events", **reads_text("text/event-stream"))
def events(
    server: Reader, study: StudyName, after: After = 0,
    last_event_id: Annotated[str | None, Header(pattern="^[0-9]{1,18}$")] = None,
) -> Response:  # fmt: skip
    """The events after a number, then each new one as it happens (text/event-stream)."""
    name, notifier = server.study(study).name, server.context.notifier
    if notifier.count >= stream.MOST:
        raise Problem(503, "too-many", "Too many streams are open.", {"Retry-After": "60"})
    first = after if last_event_id is None else int(last_event_id)
    sent = stream.stream(notifier, name, lambda last: _page(server, name, last), first)
    return StreamingResponse(sent, media_type="text/event-stream")


def _page(server: ServerView, name: str, after: int) -> list[dict[str, Any]]:
    """The next events, as long as the token of the stream is valid."""
    keyring = server.context.keyring
    keyring.refresh()
    if server.caller.id is None:
        if keyring.is_used:
            raise Problem(401, "no-token", "The server now requires tokens.")
    elif not keyring.is_valid(server.caller.id):
        raise Problem(401, "wrong-token", "The token was revoked.")
    return list(server.context.studies.open(name).history(after, stream.PAGE))
