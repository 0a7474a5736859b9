"""The application: its parts put together, the page's files, the OpenAPI document."""

import json
import re
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from html import escape
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.staticfiles import StaticFiles

import boclust
from boclust._validate import integer, invalid, shown
from boclust.server import limits, problems
from boclust.server.context import Context, Metrics
from boclust.server.gate import API, Gate
from boclust.server.routes import lifecycle, queries, sampling, server
from boclust.server.stream import Notifier
from boclust.server.studies import Studies
from boclust.server.tokens import Keyring
from boclust.study.checks import positive

PAGE = Path(__file__).parent / "page"
#: Answers of a real server, all with the same date; tests/server_examples.py writes the file.
EXAMPLES = Path(__file__).with_name("examples.json")


def create_app(
    url: str,
    *,
    root_path: str = "",
    hosts: Collection[str] = (),
    rate: float | None = limits.RATE,
    max_body: int = limits.BODY,
) -> FastAPI:
    """The server of the studies at ``url``, as an ASGI application that may also be mounted.

    Creates the database if there is none. ``root_path`` is the path under which a proxy shows the
    server. ``hosts`` are further host names to answer to, besides localhost and IP addresses ("*"
    for all). ``rate`` is the largest number of requests per second of one token or address (None
    for no limit), ``max_body`` the largest size of a request in bytes. As soon as the database has
    a token (``boclust token create``), every request needs one.
    """
    if not isinstance(root_path, str) or not re.fullmatch(r"(/[\w.~-]+)*", root_path, re.ASCII):
        raise invalid("root_path", "empty or a path such as /lab or /lab/boclust", shown(root_path))
    rate = None if rate is None else positive("rate", rate)
    max_body = integer("max_body", max_body, 1000)
    studies = Studies(url)
    context = Context(studies, Keyring(studies.store), Notifier(), Metrics(), root_path)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        context.close()

    app = FastAPI(
        title="boclust", version=boclust.__version__, lifespan=lifespan,
        openapi_url=f"{API}/openapi.json", docs_url=None, redoc_url=None, redirect_slashes=False,
        middleware=[
            Middleware(Gate, context=context, hosts=hosts, rate=rate, max_body=max_body)
        ],
    )  # fmt: skip
    app.state.boclust = context
    problems.install(app)
    for part in (server, queries, sampling, lifecycle):
        app.include_router(part.routes)
    _add_page(app)
    _add_examples(app)
    return app


def _add_page(app: FastAPI) -> None:
    """Serve the page at ``/``; its addresses are relative to where the server is mounted."""

    @app.get("/", include_in_schema=False)
    def index(request: Request) -> HTMLResponse:
        root = request.scope.get("root_path", "").rstrip("/")
        page = (PAGE / "index.html").read_text(encoding="utf-8")
        return HTMLResponse(page.replace('<base href="/">', f'<base href="{escape(root)}/">'))

    app.mount("/assets", StaticFiles(directory=PAGE))


def _add_examples(app: FastAPI) -> None:
    """Add the examples to the OpenAPI document."""
    described = app.openapi

    def with_examples() -> dict[str, Any]:
        if app.openapi_schema is None:
            description = described()
            for call, example in json.loads(EXAMPLES.read_text()).items():
                method, _, path = call.partition(" ")
                _add_example(description["paths"][path][method.lower()], example)
        return app.openapi_schema or {}

    app.openapi = with_examples  # type: ignore[method-assign]


def _add_example(route: dict[str, Any], example: dict[str, Any]) -> None:
    answer = next(iter(route["responses"][str(example["status"])]["content"].values()))
    answer["example"] = example["answer"]
    if "requestBody" in route:
        route["requestBody"]["content"]["application/json"]["example"] = example["request"]
    route["parameters"] = [
        {**one, "example": "tides"} if one["in"] == "path" else one
        for one in route.get("parameters", [])
    ]
