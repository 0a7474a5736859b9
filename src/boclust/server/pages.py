"""The files of the page, which hold no data and need no token."""

from html import escape
from pathlib import Path

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.staticfiles import StaticFiles

FOLDER = Path(__file__).parent / "page"


def install(app: FastAPI) -> None:
    """``/`` is the page, with all addresses in it relative to where the server is mounted."""

    @app.get("/", include_in_schema=False)
    def index(request: Request) -> HTMLResponse:
        root = request.scope.get("root_path", "").rstrip("/")
        page = (FOLDER / "index.html").read_text(encoding="utf-8")
        return HTMLResponse(page.replace('<base href="/">', f'<base href="{escape(root)}/">'))

    app.mount("/assets", StaticFiles(directory=FOLDER))
