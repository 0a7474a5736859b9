"""Every figure: its statements, its picture and its page, from made up tasks."""

import json
from html.parser import HTMLParser

import pytest
from pyarrow import parquet

from boclust.paper import NAMES, figure
from boclust.paper import reproduce as reproducing
from boclust.paper.base_figure import VERDICTS
from boclust.paper.report import report
from boclust.paper.reproduce import reproduce, tally
from boclust.paper.tasks import TaskStore
from boclust.plots import paper as plots
from support.figures import made_up
from support.instances import thorough

#: Claims of the paper's text about each figure, and checks of ours.
CLAIMS = {
    "runtime_setup1": (2, 0), "runtime_setup2": (1, 0), "complexity": (1, 0),
    "sd1_asymptotic": (5, 1), "sd1_tracking": (4, 1), "slopes": (3, 0),
    "gauss_2d_asymptotic": (5, 1), "bernoulli_2d_asymptotic": (4, 1), "sd1_error": (3, 3),
    "maxgap_error": (3, 1), "yang_error": (5, 1), "nyc_taxi_error": (1, 1),
    "mnist_asymptotic": (1, 3), "movielens_means": (0, 1), "movielens_error": (2, 2),
}  # fmt: skip

#: One for each kind of picture: curves, rows and points.
RENDERED = ("sd1_error", "slopes", "movielens_means")


@pytest.fixture
def produced(made, tmp_path, monkeypatch):
    monkeypatch.setattr(TaskStore, "rows", lambda self, task: made_up(task))

    def run(name):
        one, found, _ = made(name)
        return reproduce(one, tmp_path, [task for task, _ in found], lambda: None)

    return run


def drawn_only(figure, paths):
    """Draw every part and render nothing, which is a quarter of the work."""
    figure.draw_without_rendering()
    for kind, path in paths.items():
        path.write_bytes({"png": b"\x89PNG", "svg": b"<svg></svg>"}[kind])


@pytest.mark.parametrize(
    ("name", "rendered"),
    [(name, name in RENDERED) for name in NAMES]
    + [thorough(name, True) for name in NAMES if name not in RENDERED],
)
def test_figure_writes_its_files(name, rendered, produced, tmp_path, monkeypatch):
    if not rendered:
        monkeypatch.setattr(plots, "save", drawn_only)
    one = produced(name)
    kinds = [statement.kind for statement in one.statements]
    assert (kinds.count("claim"), kinds.count("check")) == CLAIMS[name]
    for statement in one.statements:
        assert statement.claim.endswith(".")
        assert statement.evidence.endswith(".")
        assert statement.verdict in VERDICTS
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
    assert produced("movielens_means").picture == produced("movielens_means").picture


class _Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.text = [], []

    def handle_starttag(self, tag, attrs):
        self.found += [value for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data):
        self.text.append(data)


def test_page_stands_alone(produced, monkeypatch):
    monkeypatch.setattr(reproducing, "_write_picture", lambda *_: "<svg></svg>")
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
    claims, checks = (sum(counts) for counts in zip(*CLAIMS.values(), strict=True))
    assert f"{claims} claims of the paper (" in tally(made)
    assert f"{checks} checks of ours (" in tally(made)


def test_slopes_come_from_the_figures_own_tasks():
    shared = {task.key for task in figure("slopes").tasks(quick=True)}
    for name in ("sd1_asymptotic", "sd1_tracking", "gauss_2d_asymptotic"):
        assert {task.key for task in figure(name).tasks(quick=True)} <= shared


def test_descriptions_can_be_written_down(made):
    for name in NAMES:
        for task, _ in made(name)[1]:
            assert json.loads(json.dumps(task.description))


def test_failed_picture_leaves_the_old_one(produced, tmp_path, monkeypatch):
    (tmp_path / "sd1_error.png").write_bytes(b"old")

    def full(_, path, **__):
        path.write_bytes(b"half of the new")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", full)
    with pytest.raises(OSError, match="No space"):
        produced("sd1_error")
    assert [path.name for path in tmp_path.iterdir()] == ["sd1_error.png"]
    assert (tmp_path / "sd1_error.png").read_bytes() == b"old"


#: A figure, the beginning of a claim, factors that make it hold and factors that break it.
DECIDED = [
    ("sd1_error", "Their sampling rules", dict(average=0.1, lucb=0.1), dict(average=9, lucb=9)),
    ("sd1_error", "ATBOC shows the best", dict(average=0.05, lucb=0.2), dict(average=9, lucb=5)),
    ("gauss_2d_asymptotic", "ATBOC and LUCBBOC are", dict(rr=5), dict(rr=0.2)),
    ("gauss_2d_asymptotic", "LUCBBOC is comparable", dict(), dict(lucb=3)),
    ("gauss_2d_asymptotic", "The slopes of", dict(atboc=0.2, lucb=0.2, rr=0.2), dict()),
    ("bernoulli_2d_asymptotic", "ATBOC is comparable", dict(), dict(lucb=3)),
    ("sd1_tracking", "All tracking schemes", dict(), dict(dtboc=3, watboc=9)),
    ("sd1_tracking", "Their slopes are comparable", dict(), dict(dtboc=3)),
    ("sd1_asymptotic", "The slopes satisfy", dict(), dict(atboc=9, lucb=9, average=9)),
    ("sd1_asymptotic", "The slopes of ATBOC-1pExp", dict(average=0.2), dict(average=5)),
    ("maxgap_error", "BOC, made for", dict(boc=9), dict(boc=0.05)),
    ("yang_error", "LUCBBOC shows", dict(lucb=0.05), dict(lucb=20)),
    ("nyc_taxi_error", "ATBOC performs", dict(average=0.01), dict(average=90)),
    ("mnist_asymptotic", "ATBOC-Gauss performs", dict(atboc=0.2), dict(atboc=5)),
    ("runtime_setup1", "LUCBBOC and BOC-ELIM", dict(atboc=9), dict(atboc=0.1, average=0.001)),
    ("runtime_setup2", "Partial search", dict(all=9), dict(all=0.1)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "claim", "true", "false"), DECIDED, ids=lambda v: str(v)[:20])
def test_claims_hold_and_fail(name, claim, true, false, made):
    for factors, wanted in ((true, "held"), (false, "not held")):
        one, found, points = made(name, **factors)
        (said,) = (s for s in one.statements(points, found) if s.claim.startswith(claim))
        assert said.verdict == wanted, said
