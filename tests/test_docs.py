"""Every code block of the documentation is run, page by page, as a reader would."""

import re
import shlex
from pathlib import Path

import matplotlib as mpl
import pytest
from click.testing import CliRunner

from boclust.cli import cli

DOCS = Path(__file__).parent.parent / "docs"
PAGES = sorted(
    p.relative_to(DOCS).as_posix() for p in DOCS.rglob("*.md") if "_build" not in p.parts
)
BLOCK = re.compile(r"(<!-- not run: .*? -->\n)?```(python|sh)\n(.*?)```", re.DOTALL)


def blocks(page):
    found = BLOCK.findall((DOCS / page).read_text(encoding="utf-8"))
    return [(kind, code) for left_out, kind, code in found if not left_out]


WITH_CODE = [page for page in PAGES if blocks(page)]


@pytest.mark.compiled
@pytest.mark.parametrize("page", WITH_CODE)
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch):
    mpl.use("agg")
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    for kind, code in blocks(page):
        if kind == "python":
            exec(compile(code, page, "exec"), names)
            continue
        for line in re.findall(r"^boclust .*$", code, re.MULTILINE):
            result = CliRunner().invoke(cli, shlex.split(line)[1:])
            assert result.exit_code == 0, f"{line}\n{result.output}"


def test_most_pages_have_code():
    assert len(WITH_CODE) >= 12


def test_links_lead_somewhere():
    for page in PAGES:
        text = (DOCS / page).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+\.(?:md|html))", text):
            assert ((DOCS / page).parent / target).exists(), f"{page}: {target}"
