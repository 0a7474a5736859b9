"""Routes for those who run studies: create, revise, pause, end."""

from typing import Any

from fastapi import Response

from boclust.problem.families import family as named_family
from boclust.run.algorithm import Algorithm
from boclust.server import bodies, models
from boclust.server.access import Admin, Here
from boclust.server.answers import Json
from boclust.server.problems import Problem
from boclust.server.routes import Named, changes, router
from boclust.server.studies import segment
from boclust.server.telling import Key
from boclust.study import Study, StudyExistsError

routes = router("running")


@routes.post("/studies", **changes(models.Status, status_code=201))
def create(here: Admin, body: bodies.NewStudy, key: Key = None) -> Response:
    """A new study; made again with the same Idempotency-Key and parameters, nothing happens.

    The header Location says where it is.
    """
    if not here.caller.sees(body.name):
        raise Problem(403, "role", f"The token is not for a study called {body.name!r}.")
    given = body.model_dump()
    if isinstance(algorithm := given["algorithm"], dict):
        given["algorithm"] = Algorithm(**algorithm.pop("options") | algorithm)
    given["family"] = named_family(**body.family.model_dump(exclude_none=True))
    try:
        made = Study.create(here.context.studies.url, key=key, **given)
    except StudyExistsError:
        raise StudyExistsError(f"there is a study {body.name!r} already") from None
    kept = here.context.studies.keep(made)
    place = segment(kept.name, kept.parameters["id"])
    return Json(kept.status(), 201, {"location": f"studies/{place}"})


@routes.post("/studies/{study}/void", **changes(models.Changed))
def void(here: Admin, study: Named, body: bodies.Voiding) -> Response:
    """Leave a value out, by the number of its event."""
    with here.writing(study) as one:
        return Json({"event": one.void(body.event, body.reason, body.client)})


@routes.post("/studies/{study}/correct", **changes(models.Changed))
def correct(here: Admin, study: Named, body: bodies.Correcting) -> Response:
    """Put another value in the place of one."""
    with here.writing(study) as one:
        return Json({"event": one.correct(body.event, body.value, body.reason, body.client)})


@routes.post("/studies/{study}/pause", **changes(models.Status))
def pause(here: Admin, study: Named, body: bodies.By | None = None) -> Response:
    """Ask for nothing until it is resumed; values may still be told."""
    return _done(here, study, "pause", client=body.client if body else None)


@routes.post("/studies/{study}/resume", **changes(models.Status))
def resume(here: Admin, study: Named, body: bodies.By | None = None) -> Response:
    """Ask again."""
    return _done(here, study, "resume", client=body.client if body else None)


@routes.post("/studies/{study}/stop", **changes(models.Status))
def stop(here: Admin, study: Named, body: bodies.Stopping) -> Response:
    """End a study by hand, for good."""
    return _done(here, study, "stop", reason=body.reason, client=body.client)


@routes.post("/studies/{study}/budget", **changes(models.Status))
def budget(here: Admin, study: Named, body: bodies.NewBudget) -> Response:
    """Allow more or fewer samples, or costs; without either there is no limit."""
    limits = {"samples": body.samples, "cost": body.cost}
    return _done(here, study, "change_budget", value=limits, client=body.client)


def _done(here: Here, study: str, what: str, **arguments: Any) -> Response:
    """Do it; where the study stands then."""
    with here.writing(study) as one:
        getattr(one, what)(**arguments)
        return Json(one.status())
