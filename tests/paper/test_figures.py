"""Every figure: its statements, its picture and its page, from made up cells."""

import json
from html.parser import HTMLParser

import pytest
from pyarrow import parquet

from boclust.paper import NAMES, figure
from boclust.paper import produce as producing
from boclust.paper.cells import Store
from boclust.paper.produce import produce, verdicts
from boclust.paper.report import report
from figures import made_up

#: What the paper claims of each figure, counted in its text.
CLAIMS = {
    "runtime_setup1": 2, "runtime_setup2": 1, "complexity": 1, "sd1_asymptotic": 4,
    "sd1_tracking": 2, "slopes": 3, "gauss_2d_asymptotic": 3, "bernoulli_2d_asymptotic": 2,
    "sd1_error": 4, "maxgap_error": 2, "yang_error": 3, "nyc_taxi_error": 1,
    "mnist_asymptotic": 3, "movielens_means": 1, "movielens_error": 3,
}  # fmt: skip


@pytest.fixture
def produced(made, tmp_path, monkeypatch):
    monkeypatch.setattr(Store, "rows", lambda self, cell: made_up(cell))

    def run(name):
        one, found, _ = made(name)
        return produce(one, tmp_path, [cell for cell, _ in found], lambda: None)

    return run


@pytest.mark.parametrize("name", NAMES)
def test_figure_writes_its_files(name, produced, tmp_path):
    one = produced(name)
    assert len(one.statements) == CLAIMS[name]
    for statement in one.statements:
        assert statement.claim.endswith(".")
        assert statement.evidence.endswith(".")
        assert statement.verdict in ("held", "held in part", "not held")
        assert "nan" not in statement.evidence
    kinds = ("csv", "md", "parquet", "png", "svg")
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.{kind}" for kind in kinds}
    rows = parquet.read_table(tmp_path / f"{name}.parquet", use_threads=False).to_pylist()
    assert len(rows) == len(one.points)
    assert {row["source"] for row in rows} >= {"paper", "here"}
    assert all(row["figure"] == name for row in rows)
    text = (tmp_path / f"{name}.md").read_text()
    assert all(statement.claim in text for statement in one.statements)
    assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in one.picture


def test_the_same_picture_gives_the_same_file(produced):
    assert produced("sd1_error").picture == produced("sd1_error").picture


class _Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.text = [], []

    def handle_starttag(self, tag, attrs):
        self.found += [value for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data):
        self.text.append(data)


def test_page_stands_alone(produced, monkeypatch):
    monkeypatch.setattr(producing, "_write_picture", lambda *_: "<svg></svg>")
    made = [produced(name) for name in NAMES]
    page = _Links()
    page.feed(report(made, [("mnist_asymptotic", "a <folder> is missing")], quick=True))
    assert all(link.startswith(("#", "data:image/svg+xml;base64,")) for link in page.found)
    text = "".join(page.text)
    for one in made:
        assert one.figure.title in text
        for statement in one.statements:
            assert text.count(statement.claim) >= 2  # in the overview, and beside the picture
    assert "a <folder> is missing" in text
    assert sum(verdicts(made).values()) == sum(CLAIMS.values())


def test_slopes_come_from_the_figures_own_cells():
    shared = {cell.key for cell in figure("slopes").cells(quick=True)}
    for name in ("sd1_asymptotic", "sd1_tracking", "gauss_2d_asymptotic"):
        assert {cell.key for cell in figure(name).cells(quick=True)} <= shared


def test_descriptions_can_be_written_down(made):
    for name in NAMES:
        for cell, _ in made(name)[1]:
            assert json.loads(json.dumps(cell.what))


def test_failed_picture_leaves_the_old_one(produced, tmp_path, monkeypatch):
    produced("sd1_error")
    before = (tmp_path / "sd1_error.png").read_bytes()

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(producing, "_write_picture", fail)
    with pytest.raises(OSError, match="No space"):
        produced("sd1_error")
    assert (tmp_path / "sd1_error.png").read_bytes() == before
