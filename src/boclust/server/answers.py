"""JSON in both directions: strict when it comes in, in ASCII when it goes out."""

import json
import math
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from boclust._data import to_line
from boclust.server.problems import Problem


class Json(JSONResponse):
    """An answer in ASCII, which half a surrogate pair in someone's metadata does not break."""

    def render(self, content: Any) -> bytes:
        """Numbers that JSON does not have become null."""
        return to_line(content).encode()


def strict(body: bytes) -> Any:
    """What a body says; NaN, infinity and numbers beyond every float are refused anywhere in it."""
    try:
        return json.loads(body, parse_constant=_refuse, parse_float=_finite)
    except json.JSONDecodeError:
        raise
    except (ValueError, RecursionError):  # no UTF-8; thousands of digits or of brackets
        raise Problem(
            400, "no-json", "The body is more than can be read, or not in UTF-8."
        ) from None


def _refuse(word: str) -> Any:
    raise Problem(400, "no-json", f"The body has {word}, which is no number in JSON.")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse(f"a number as large as {text[:40]}")


class _StrictRequest(Request):
    async def json(self) -> Any:
        return strict(await self.body())


class StrictRoute(APIRoute):
    """A route whose body is read by ``strict``."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The usual one, given a stricter request."""
        usual = super().get_route_handler()

        async def handler(request: Request) -> Response:
            return await usual(_StrictRequest(request.scope, request.receive))

        return handler
