"""The code on these pages, run as a reader would; ``make pictures`` draws their pictures by it."""

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from contextlib import chdir
from pathlib import Path

HERE = Path(__file__).parent
IMAGES = HERE / "images"
PAGES = sorted(p.relative_to(HERE).as_posix() for p in HERE.rglob("*.md"))
_BLOCK = re.compile(r"(<!-- not run: .*? -->\n)?```(python|sh)\n(.*?)```", re.DOTALL)
_PICTURE = re.compile(r"!\[[^]]+\]\((?:\.\./)?images/([\w-]+\.png)\)")
#: Not drawn by the code of a page: what a browser shows of the study of `boclust demo --serve`.
SCREENSHOT = "page.png"


def text(page: str) -> str:
    """What a page says."""
    return (HERE / page).read_text(encoding="utf-8")


def blocks(page: str) -> list[tuple[str, str]]:
    """The language and the code of each block that is to be run."""
    return [(kind, code) for left_out, kind, code in _BLOCK.findall(text(page)) if not left_out]


def pictures(page: str) -> list[str]:
    """The pictures on a page that its code draws."""
    return [name for name in _PICTURE.findall(text(page)) if name != SCREENSHOT]


def run(page: str, folder: Path) -> None:
    """Run the code of a page in a folder, from its first block to its last."""
    import matplotlib as mpl
    from click.testing import CliRunner

    from boclust.cli import cli

    mpl.use("agg")
    names = {"__name__": "__main__"}
    with chdir(folder):
        for kind, code in blocks(page):
            if kind == "python":
                exec(compile(code, page, "exec"), names)
                continue
            for line in re.findall(r"^boclust .*$", code, re.MULTILINE):
                result = CliRunner().invoke(cli, shlex.split(line)[1:])
                assert result.exit_code == 0, f"{line}\n{result.output}"


def take_screenshot(path: Path) -> None:
    """The page of a study that moves, in Chromium, by the means of the tests."""
    sys.path.append(str(HERE.parent / "tests"))
    from support.browsers import chromium
    from support.processes import command_line

    demo = command_line("demo", "--serve", "--port", 0, "--pace", 60)
    with subprocess.Popen(demo, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            with chromium() as browser:
                view = browser.new_page(viewport={"width": 1280, "height": 1000})
                view.goto(address)
                view.wait_for_timeout(10_000)  # some samples
                view.screenshot(path=path)
        finally:
            server.terminate()


def main() -> None:
    """Draw every picture anew."""
    for page in PAGES:
        if wanted := pictures(page):
            with tempfile.TemporaryDirectory() as folder:
                run(page, Path(folder))
                for name in wanted:
                    shutil.copy(Path(folder, name), IMAGES / name)
    take_screenshot(IMAGES / SCREENSHOT)


if __name__ == "__main__":
    main()
