"""Routes for those who sample: asks and observations."""

from typing import Annotated, Any

from fastapi import Header, Response

from boclust.server import bodies, models
from boclust.server.access import Teller
from boclust.server.answers import Json
from boclust.server.routes import Named, changes, router

routes = router("sampling")
#: A repeated request with the same key changes nothing.
Key = Annotated[str | None, Header(alias="Idempotency-Key", min_length=1, max_length=1900)]


@routes.post("/studies/{study}/asks", **changes(models.Asks))
def ask(here: Teller, study: Named, body: bodies.Asking | None = None) -> Response:
    """What to sample next; a client gets first what it holds, so to ask again is harmless."""
    wanted = body or bodies.Asking()
    with here.writing(study) as one:
        asks = one.ask(wanted.n, wanted.client)
    here.context.metrics.asks.inc(len(asks))
    return Json({"asks": asks})


@routes.post("/studies/{study}/observations", **changes(models.Numbers))
def tell(here: Teller, study: Named, body: bodies.Telling, key: Key = None) -> Response:
    """Record values, all or none.

    To answer the same ask, or to tell with the same key, again is harmless. The header
    Idempotency-Key gives the rows that have neither the keys KEY/0, KEY/1, ...
    """
    rows = [_row(one, i, key) for i, one in enumerate(body.observations)]
    with here.writing(study) as one:
        numbers = one.tell_many(rows, body.client)
    here.context.metrics.values.inc(len(numbers))
    return Json({"events": numbers})


def _row(one: bodies.Observation, i: int, key: str | None) -> dict[str, Any]:
    """As ``Study.tell_many`` takes it, with nothing but what was sent."""
    row = {name: getattr(one, name) for name in one.model_fields_set}
    if key is not None and row.get("key") is None and row.get("ask") is None:
        row["key"] = f"{key}/{i}"
    return row
