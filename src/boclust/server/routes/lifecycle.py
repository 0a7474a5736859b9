"""Routes for administrators: create studies, revise values, pause, resume, stop."""

from typing import Any

from fastapi import Response

from boclust.problem.families import family as named_family
from boclust.run.algorithm import Algorithm
from boclust.server import schemas
from boclust.server.auth import Admin, ServerView
from boclust.server.problems import Problem
from boclust.server.routes import Json, StudyName, router, writes
from boclust.server.routes.sampling import Key
from boclust.server.studies import segment
from boclust.study import Status, Study, StudyExistsError

routes = router("lifecycle")


@routes.post("/studies", **writes(Status, status_code=201))
def create(server: Admin, body: schemas.NewStudy, key: Key = None) -> Response:
    """Create a study; a repeated request with the same Idempotency-Key changes nothing.

    The header Location has its path.
    """
    if not server.caller.sees(body.name):
        raise Problem(403, "role", f"The token does not cover a study called {body.name!r}.")
    given = body.model_dump()
    if isinstance(algorithm := given["algorithm"], dict):
        given["algorithm"] = Algorithm(**algorithm.pop("options") | algorithm)
    given["family"] = named_family(**body.family.model_dump(exclude_none=True))
    try:
        made = Study.create(server.context.studies.url, key=key, **given)
    except StudyExistsError:
        raise StudyExistsError(f"there is already a study {body.name!r}") from None
    kept = server.context.studies.keep(made)
    place = segment(kept.name, kept.parameters["id"])
    return Json(kept.status(), 201, {"location": f"studies/{place}"})


@routes.post("/studies/{study}/void", **writes(schemas.EventNumber))
def void(server: Admin, study: StudyName, body: schemas.VoidRequest) -> Response:
    """Exclude a value, by the number of its event."""
    with server.writing(study) as one:
        return Json(schemas.EventNumber(one.void(body.event, body.reason, body.client)))


@routes.post("/studies/{study}/correct", **writes(schemas.EventNumber))
def correct(server: Admin, study: StudyName, body: schemas.CorrectRequest) -> Response:
    """Replace a value, by the number of its event."""
    with server.writing(study) as one:
        event = one.correct(body.event, body.value, body.reason, body.client)
        return Json(schemas.EventNumber(event))


@routes.post("/studies/{study}/pause", **writes(Status))
def pause(server: Admin, study: StudyName, body: schemas.ClientRequest | None = None) -> Response:
    """Stop asking until the study is resumed; it still accepts values."""
    return _change(server, study, "pause", client=body.client if body else None)


@routes.post("/studies/{study}/resume", **writes(Status))
def resume(server: Admin, study: StudyName, body: schemas.ClientRequest | None = None) -> Response:
    """Ask again after a pause."""
    return _change(server, study, "resume", client=body.client if body else None)


@routes.post("/studies/{study}/stop", **writes(Status))
def stop(server: Admin, study: StudyName, body: schemas.StopRequest) -> Response:
    """End a study by hand, for good."""
    return _change(server, study, "stop", reason=body.reason, client=body.client)


@routes.post("/studies/{study}/budget", **writes(Status))
def budget(server: Admin, study: StudyName, body: schemas.BudgetRequest) -> Response:
    """Set another budget of samples, cost or both; without either there is no limit."""
    limits = {"samples": body.samples, "cost": body.cost}
    return _change(server, study, "change_budget", value=limits, client=body.client)


def _change(server: ServerView, study: str, method: str, **arguments: Any) -> Response:
    """Call a method of the study; answers with its new status."""
    with server.writing(study) as one:
        getattr(one, method)(**arguments)
        return Json(one.status())
