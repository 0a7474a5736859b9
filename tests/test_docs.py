"""Every code block of the documentation is run, page by page, as a reader would."""

import re

import http_api
import pages
import pytest

import boclust
from boclust.sampling import SAMPLING
from boclust.server import create_app
from boclust.server.gate import API
from boclust.stopping import STOPPING

WITH_CODE = [page for page in pages.PAGES if pages.blocks(page)]


@pytest.mark.compiled
@pytest.mark.parametrize("page", WITH_CODE)
def test_the_code_of_a_page_runs_and_draws_its_pictures(page, tmp_path):
    pages.run(page, tmp_path)
    for name in pages.pictures(page):
        assert (tmp_path / name).stat().st_size > 5000


def test_most_pages_have_code():
    assert len(WITH_CODE) >= 12
    assert sum(len(pages.pictures(page)) for page in WITH_CODE) >= 4


def test_links_and_pictures_lead_somewhere():
    for page in pages.PAGES:
        for target in re.findall(r"\]\(([^)#:]+\.(?:md|html|png))", pages.text(page)):
            assert ((pages.HERE / page).parent / target).exists(), f"{page}: {target}"


def test_no_picture_is_left_over():
    shown = {name for page in pages.PAGES for name in pages.pictures(page)}
    drawn = {path.name for path in pages.IMAGES.iterdir()}
    assert drawn == shown | {pages.SCREENSHOT, "demo.png"}


def test_the_page_of_calls_has_every_call_and_thing():
    described = create_app("sqlite://").openapi()
    text = http_api.calls()
    for path, ways in described["paths"].items():
        for method in ways:
            assert f"### `{method.upper()} {path.removeprefix(API)}`" in text
    for name in described["components"]["schemas"]:
        assert f"\n### {name}\n" in text
    for name in re.findall(r"\]\(#(\w+)\)", text):
        assert f"\n### {name}\n" in text.lower()
    assert "Needs role `admin`." in text
    assert "Needs no token." in text
    assert http_api.PLACE in pages.text("reference/http.md")


def test_the_reference_has_every_public_name():
    described = "".join(pages.text(p) for p in pages.PAGES if p.startswith("reference/"))
    for name in boclust.__all__:
        home = f"{boclust.__name__}.{name}"
        if name in ("ConflictError", "StudyError", "StudyStoppedError"):
            home = getattr(boclust, name).__module__  # all members of the module are shown
        assert re.search(rf":: {re.escape(home)}$", described, re.MULTILINE), name


def test_the_reference_has_every_rule_under_its_name():
    described = pages.text("reference/api.md")
    for name, rule in {**SAMPLING, **STOPPING}.items():
        if not rule.__module__.startswith("boclust."):
            continue  # registered by the code of a page
        title = f"``{name}``\n\n.. autoclass:: {rule.__module__}.{rule.__name__}\n"
        assert title in described, name
