"""Routes for sampling: ask and tell."""

from typing import Annotated, Any

from fastapi import Header, Response

from boclust.server import schemas
from boclust.server.auth import Teller
from boclust.server.routes import Json, StudyName, router, writes

routes = router("sampling")
#: A repeated request with the same key changes nothing.
Key = Annotated[str | None, Header(alias="Idempotency-Key", min_length=1, max_length=1900)]


@routes.post("/studies/{study}/asks", **writes(schemas.Asks))
def ask(server: Teller, study: StudyName, body: schemas.AskRequest | None = None) -> Response:
    """The next samples to take; a client first gets its own pending asks, so it may repeat this."""
    wanted = body or schemas.AskRequest()
    with server.writing(study) as one:
        asks = one.ask(wanted.n, wanted.client)
    server.context.metrics.asks.inc(len(asks))
    return Json(schemas.Asks(asks))


@routes.post("/studies/{study}/observations", **writes(schemas.EventNumbers))
def tell(server: Teller, study: StudyName, body: schemas.TellRequest, key: Key = None) -> Response:
    """Record all of these values, or none.

    A repeated answer to the same ask, or with the same key, changes nothing. The header
    Idempotency-Key gives rows with neither ask nor key the keys KEY/0, KEY/1, ...
    """
    rows = [_row(one, i, key) for i, one in enumerate(body.observations)]
    with server.writing(study) as one:
        numbers = one.tell_many(rows, body.client)
    server.context.metrics.values.inc(len(numbers))
    return Json(schemas.EventNumbers(numbers))


def _row(one: schemas.Observation, i: int, key: str | None) -> dict[str, Any]:
    """An observation for ``Study.tell_many``, with only the fields that were sent."""
    row = {name: getattr(one, name) for name in one.model_fields_set}
    if key is not None and row.get("key") is None and row.get("ask") is None:
        row["key"] = f"{key}/{i}"
    return row
