"""The application: its parts, put together."""

import re
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.middleware import Middleware

import boclust
from boclust._validate import fail, integer, shown
from boclust.server import examples, general, limits, looking, pages, problems, running, telling
from boclust.server.context import Context
from boclust.server.gate import API, Gate
from boclust.server.metrics import Metrics
from boclust.server.stream import News
from boclust.server.studies import Studies
from boclust.server.tokens import Keyring
from boclust.study.checks import positive


def create_app(
    url: str,
    *,
    root_path: str = "",
    hosts: Collection[str] = (),
    rate: float | None = limits.RATE,
    max_body: int = limits.BODY,
) -> FastAPI:
    """The server of the studies at ``url``, as an ASGI application, which may also be mounted.

    The database is made where there is none. ``root_path`` is where a proxy shows it; ``hosts`` are
    host names that it answers to, besides localhost and addresses ("*": all); ``rate`` how many
    requests a second one token or address may send (None: any number); ``max_body`` the bytes of
    the largest request. Tokens are wanted as soon as one was made: ``boclust token create``.
    """
    if not isinstance(root_path, str) or not re.fullmatch(r"(/[\w.~-]+)*", root_path, re.ASCII):
        raise fail("root_path", f"is {shown(root_path)}", "'', '/lab', '/lab/boclust' and such")
    rate = None if rate is None else positive("rate", rate)
    max_body = integer("max_body", max_body, 1000)
    studies = Studies(url)
    context = Context(studies, Keyring(studies.store), News(), Metrics(), root_path)

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
    for part in (general, looking, telling, running):
        app.include_router(part.routes)
    pages.install(app)
    examples.install(app)
    return app
