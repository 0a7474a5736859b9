"""The page, in a real browser, on real servers."""

import csv
import re
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import boclust
import boclust.server
from boclust.study import Study
from support.browsers import Visit, chromium
from support.proxy import proxied
from support.server_process import served

#: They run processes that `make coverage` does not see.
pytestmark = [pytest.mark.slow, pytest.mark.compiled]

expect = pytest.importorskip("playwright.sync_api").expect
expect.set_options(timeout=60_000)

FILES = Path(boclust.server.__file__).parent / "page"
PNG = b"\x89PNG\r\n"
HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'


@pytest.fixture(scope="module")
def browser():
    with chromium() as one:
        yield one


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A server for all tests, with the ``url`` of its database."""
    folder = tmp_path_factory.mktemp("running")
    url = f"sqlite:///{folder / 'studies.db'}"
    with served(url, folder=folder) as server:
        server.url = url
        yield server


@pytest.fixture
def visit(browser, running):
    """``visit(query, **settings)``: a page; afterwards its requests and messages are checked."""
    made = []

    def open_page(query="", server=running, refusals=0, **settings):
        made.append((Visit(browser, server.address, **settings), refusals))
        return made[-1][0].open(query)

    yield open_page
    for one, refusals in made:
        one.check(refusals)
        one.context.close()


@pytest.fixture
def make(running, request):
    """``make(means, n_clusters, each, **more)``: a study with ``each`` samples of every arm.

    It has the name of the test; arms are called arm 0, arm 1, ... unless ``arms`` says otherwise.
    """
    made = []

    def create(means, n_clusters, each=0, arms=None, name=request.node.name, **more):
        means = np.atleast_2d(np.asarray(means, dtype=float).T).T
        arms = arms or [f"arm {i}" for i in range(len(means))]
        study = Study.create(running.url, name, arms, n_clusters, 0.1, dim=means.shape[1], **more)
        rng = np.random.default_rng(7)
        rows = [(i, rng.normal(mean)) for _ in range(each) for i, mean in enumerate(means)]
        study.tell_many([(i, v[0] if len(v) == 1 else v.tolist()) for i, v in rows])
        made.append(study)
        return study

    yield create
    for study in made:
        study.close()


def link(study):
    """The query of a study's page."""
    return f"?study={study.name}"


def clusters(page):
    """The names of each cluster on the page."""
    rows = page.locator(".clusters > li").all()
    return [row.locator("ul li").all_inner_texts() for row in rows]


def button(page, name):
    return page.get_by_role("button", name=name).first


def value_of(page, arm):
    """The field for the value of an ask."""
    return page.get_by_role("textbox", name=f"Value of {arm}", exact=True)


def tab_to(page, role, name):
    """Press Tab until the element has the focus."""
    target = page.get_by_role(role, name=name).first
    for _ in range(120):
        if target.evaluate("node => node === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"no way to {name} by keyboard")


def overflow(page):
    """Pixels by which the page is wider than the window."""
    return page.evaluate("document.documentElement.scrollWidth - innerWidth")


def test_files_are_small_and_set_no_html():
    files = [path for path in FILES.iterdir() if path.is_file()]
    index = (FILES / "index.html").read_text(encoding="utf-8")
    assert all(f"assets/{path.name}" in index for path in files if path.suffix == ".js")
    assert sum(path.stat().st_size for path in files) < 150_000
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(", text)
        addresses = set(re.findall(r"(?:https?:)?//[\w.-]+\.[a-z]+[^\s\"'`]*", text))
        assert addresses <= {"http://www.w3.org/2000/svg"}, path


def test_a_study_from_its_creation_to_its_end(visit, running):
    page = visit()
    button(page, "New study").click()
    page.get_by_label("Name", exact=True).fill("harbours")
    page.get_by_label("Arms", exact=True).fill("north\nsouth; 2.5\nwest")
    page.get_by_label("Clusters", exact=True).fill("2")
    button(page, "Create").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("harbours")

    button(page, "Take the next ask").click()
    for name, number in (("north", "0.1"), ("south", "3"), ("west", "7")):
        expect(value_of(page, name)).to_be_focused()
        page.keyboard.type(number)
        page.keyboard.press("Enter")
    expect(page.locator(".clusters > li")).to_have_count(2)
    assert clusters(page) == [["north", "south"], ["west"]]

    row = page.get_by_role("listitem").filter(has_text="west gave 7")
    row.get_by_role("button", name="Correct").click()
    page.get_by_label("Right value").fill("3.5")
    page.get_by_label("Reason").fill("a slip of the pen")
    button(page, "Correct it").click()
    expect(page.get_by_text("1 observation was corrected")).to_be_visible()
    expect(page.locator(".clusters > li").nth(1)).to_contain_text("south")
    assert clusters(page) == [["north"], ["south", "west"]]

    row = page.get_by_role("listitem").filter(has_text="south gave 3")
    row.get_by_role("button", name="Void").click()
    page.get_by_label("Reason").fill("a broken gauge")
    button(page, "Void it").click()
    expect(page.get_by_text("1 arm has none")).to_be_visible()
    page.get_by_text("An unsolicited value").click()
    page.get_by_label("Arm", exact=True).select_option("south")
    page.get_by_label("Value", exact=True).fill("0.3")
    button(page.locator("details"), "Tell").click()
    expect(page.locator(".clusters > li").first).to_contain_text("south")
    assert clusters(page) == [["north", "south"], ["west"]]

    with page.expect_download() as download:
        page.get_by_role("link", name="Export CSV").click()
    assert download.value.suggested_filename == "harbours.csv"
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(lines))
    assert [row["arm"] for row in rows] == ["north", "south", "west", "south"]
    with page.expect_download() as download:
        page.get_by_role("link", name="Export Parquet").click()
    assert download.value.path().read_bytes().startswith(b"PAR1")

    button(page, "Pause").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Paused")
    button(page, "Resume").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Open")
    button(page, "Stop").click()
    page.get_by_label("Reason").fill("winter")
    button(page, "Stop it").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Stopped")
    for name in ("Pause", "Stop", "Take the next ask"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    with Study.open(running.url, "harbours") as study:
        status, last = study.status(), list(study.history())[-1]
        assert study.arms[1].cost == 2.5
    assert (status.state, status.clusters) == ("stopped", [["north", "south"], ["west"]])
    assert last["payload"]["reason"] == "winter"


def test_by_keyboard_only(visit):
    page = visit()
    tab_to(page, "button", "New study")
    page.keyboard.press("Enter")
    for text in ("typed", "a\nb\nc", "2"):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    tab_to(page, "button", "Create")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("typed")
    expect(button(page, "Take the next ask")).to_be_visible()
    tab_to(page, "button", "Take the next ask")
    page.keyboard.press("Enter")
    for name, number in zip("abc", ("1", "2", "9"), strict=True):
        expect(value_of(page, name)).to_be_focused()
        page.keyboard.type(number)
        page.keyboard.press("Enter")
    expect(page.locator(".clusters > li")).to_have_count(2)
    tab_to(page, "button", "Void event")
    page.keyboard.press("Enter")
    page.keyboard.type("a slip")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 observation was voided")).to_be_visible()
    tab_to(page, "button", "Stop")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Open")


def test_what_cannot_be_is_said_beside_the_field(visit, make):
    page = visit(link(make([0, 1, 5], 2)), refusals=1)
    button(page, "Take the next ask").click()
    value = value_of(page, "arm 0")
    expect(value).to_be_focused()
    page.keyboard.type("1,5")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="“1,5” is not a number")).to_be_visible()
    expect(value).to_be_focused()
    page.goto(page.url.split("?")[0])
    button(page, "New study").click()
    page.get_by_label("Name", exact=True).fill("too many")
    page.get_by_label("Arms", exact=True).fill("a\nb")
    page.get_by_label("Clusters", exact=True).fill("9")
    button(page, "Create").click()
    expect(page.get_by_role("alert").filter(has_text="n_clusters")).to_be_visible()
    expect(page.get_by_label("Clusters", exact=True)).to_be_focused()


def test_others_are_seen_as_they_work(visit, make):
    study = make([0, 1, 5], 2)
    page = visit(link(study))
    expect(page.get_by_text("3 arms have none")).to_be_visible()
    study.tell_many([(0, 0.0), (1, 1.0), (2, 5.0)], client="bob")
    expect(page.locator(".clusters > li")).to_have_count(2)
    assert clusters(page) == [["arm 0", "arm 1"], ["arm 2"]]
    expect(page.get_by_role("listitem").filter(has_text="bob")).to_have_count(3)
    study.correct(4, -9.0, "upside down")
    expect(page.get_by_role("status")).to_contain_text("The clusters changed.")
    study.ask(client="eve")
    expect(page.get_by_label("Pending asks", exact=True)).to_contain_text("eve")


def test_a_server_that_comes_back_is_followed_again(visit, serve, url):
    with Study.create(url, "tides", ["a", "b", "c"], 2, 0.1) as study:
        first = serve(url)
        port = first.address.rsplit(":", 1)[1]
        page = visit("?study=tides", first, refusals=None)
        expect(page.get_by_text("3 arms have none")).to_be_visible()
        first.close()
        expect(page.get_by_role("alert").filter(has_text="lost")).to_be_visible()
        study.tell("a", 1.0)
        serve(url, "--port", port)
        expect(page.get_by_text("2 arms have none")).to_be_visible()
        study.tell("b", 1.0)
        expect(page.get_by_text("1 arm has none")).to_be_visible()
        expect(page.get_by_role("alert")).to_have_count(0)


def test_names_that_are_scripts_are_shown_as_they_are(visit, make):
    arms = [HOSTILE, f"{HOSTILE} 2", "plain"]
    study = make([0, 1, 5], 2, each=3, arms=arms, name=HOSTILE)
    study.void(study.tell(0, 1.0, client=HOSTILE), HOSTILE, client=HOSTILE)
    study.ask(client=HOSTILE)
    page = visit()
    page.get_by_role("link", name=HOSTILE).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(HOSTILE)
    expect(page.locator(".clusters > li").first).to_contain_text(HOSTILE)
    expect(page.get_by_label("Last events")).to_contain_text(f": {HOSTILE}")
    for summary in page.locator("summary:visible").all():
        summary.click()
    page.locator(".plot svg").first.hover()
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 1  # the page's own
    assert page.evaluate("document.scripts.length") == 2


def test_a_figure_that_is_redrawn_while_it_is_saved(visit, make):
    page = visit(link(make([0, 1, 5], 2, each=3)))
    card = page.get_by_label("Tree", exact=True)
    expect(card.get_by_role("img")).to_be_visible()
    page.evaluate("""() => {
      const decode = HTMLImageElement.prototype.decode;
      HTMLImageElement.prototype.decode = function () {
        for (const node of document.querySelectorAll(".plot svg")) node.remove();
        return decode.call(this);
      };
    }""")
    with page.expect_download() as download:
        button(card, "Save Tree as PNG").click()
    assert download.value.path().read_bytes().startswith(PNG)


@pytest.mark.parametrize("dim", [1, 2, 5])
def test_drawings_tables_and_files(visit, make, dim):
    means = np.zeros((6, dim))
    means[3:] += 6
    page = visit(link(make(means, 2, each=4)))
    for title in ("Arms", "Evidence", "Samples per arm", "Tree"):
        card = page.get_by_label(title, exact=True)
        expect(card.get_by_role("img")).to_be_visible()
        card.locator("summary").click()
        expect(card.locator("tbody tr").nth(4)).to_be_visible()
        with page.expect_download() as download:
            button(card, f"Save {title} as SVG").click()
        drawing = download.value.path().read_text(encoding="utf-8")
        assert not re.search(r'class=|var\(|style="', drawing)
        assert ET.fromstring(drawing).tag == "{http://www.w3.org/2000/svg}svg"
        with page.expect_download() as download:
            button(card, f"Save {title} as PNG").click()
        assert download.value.path().read_bytes().startswith(PNG)
    arms = page.get_by_label("Arms", exact=True)
    assert arms.locator(".dot").count() == 6
    assert arms.locator(".bar" if dim == 1 else ".disc").count() == (2 if dim == 1 else 6)
    expect(arms).to_contain_text("with probability 0.9")
    if dim == 5:
        expect(arms).to_contain_text("principal components")
    button(page, "Time").click()
    expect(button(page, "Time")).to_have_attribute("aria-pressed", "true")


def test_light_and_dark(visit):
    paper = "getComputedStyle(document.body).backgroundColor"
    light = visit(color_scheme="light")
    expect(light.get_by_role("heading", level=1)).to_be_visible()
    page = visit(color_scheme="dark")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    bright, dark = light.evaluate(paper), page.evaluate(paper)
    assert bright != dark
    button(page, "Theme").click()
    assert page.evaluate(paper) == bright
    page.reload()
    assert page.evaluate(paper) == bright
    button(page, "Theme").click()
    assert page.evaluate(paper) == dark


def test_on_a_phone(visit, make):
    arms = [f"a rather long name of an arm, number {i}" for i in range(80)]
    make(np.arange(80.0), 4, each=1, arms=arms, name="phone-1")
    make(np.arange(12.0).reshape(6, 2), 3, each=2, arms=arms[:6], name="phone-2")
    size = {"width": 390, "height": 844}
    page = visit()
    page.set_viewport_size(size)
    expect(page.get_by_role("link", name="phone-1")).to_be_visible()
    assert overflow(page) == 0
    for name in ("phone-1", "phone-2"):
        page = visit(f"?study={name}")
        page.set_viewport_size(size)
        expect(page.get_by_label("Tree", exact=True).get_by_role("img")).to_be_visible()
        for summary in page.locator("summary:visible").all():
            summary.click()
        assert overflow(page) == 0
        box = button(page, "Take the next ask").bounding_box()
        assert box["y"] + box["height"] < size["height"]  # without scrolling
        for mark in page.locator(".question:visible").all():
            mark.click()
        assert overflow(page) == 0


def test_everything_has_a_name_for_those_who_cannot_see_it(visit, make):
    study = make([0, 1, 5], 2, each=3)
    study.ask(client="eve")
    page = visit(link(study))
    button(page, "Take the next ask").click()
    expect(page.get_by_role("textbox", name="Value of")).to_be_focused()
    expect(page.get_by_label("Tree", exact=True).get_by_role("img")).to_be_visible()
    for summary in page.locator("summary:visible").all():
        summary.click()
    roles = {"button", "link", "textbox", "combobox", "spinbutton", "searchbox", "image",
             "progressbar", "dialog", "heading"}  # fmt: skip
    seen = set()
    for opening in (None, "Void event", "Stop"):
        if opening:
            button(page, opening).click()
        tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")
        for node in tree["nodes"]:
            role = node.get("role", {}).get("value")
            if not node["ignored"] and role in roles:
                assert node["name"]["value"].strip(), node
                seen.add(role)
        if opening:
            page.keyboard.press("Escape")
    assert {"button", "link", "textbox", "image", "progressbar", "dialog", "heading"} <= seen
    assert page.locator("main, header").count() == 2
    assert page.locator("html[lang=en]").count() == 1


def test_words_are_explained_where_they_stand(visit, make):
    study = make([0, 1, 5], 2)
    study.ask(client="eve")
    page = visit(link(study), has_touch=True)
    answers = {
        "What do these settings mean?": "challenger chooses the next arm, local-directional",
        "What is the certificate?": "the clusters are certified, sampling ends",
        "What is the evidence?": "contradict all other clusterings",
        "What is an ask?": "one sample of one arm",
        "What are pending asks?": "For 60 minutes, the lease",
        "What are corrected and voided values?": "a voided value is excluded",
    }
    for question, part in answers.items():
        mark = button(page, question)
        expect(mark).to_have_attribute("aria-expanded", "false")
        answer = page.locator(f"#{mark.get_attribute('aria-controls')}")
        expect(answer).to_be_hidden()
        mark.tap()
        expect(mark).to_have_attribute("aria-expanded", "true")
        shown = page.locator(f"#{mark.get_attribute('aria-controls')}")
        expect(shown).to_be_visible()
        expect(shown).to_contain_text(part)
    assert page.locator("[aria-controls]").count() == len(answers)

    study.tell_many([(0, 0.0), (1, 1.0), (2, 5.0)])  # much is made anew
    expect(page.locator(".clusters > li")).to_have_count(2)
    expect(page.locator(".hint:visible")).to_have_count(len(answers))
    tab_to(page, "button", "What is the evidence?")
    page.keyboard.press("Enter")
    expect(page.locator(".hint:visible")).to_have_count(len(answers) - 1)
    study.tell_many([(0, 0.0), (1, 5.0), (2, 5.0)])
    expect(page.get_by_text("6 samples", exact=True)).to_be_visible()
    expect(button(page, "What is the evidence?")).to_be_focused()


def test_algorithms_are_called_by_their_names(visit, make):
    named = visit(link(make([0, 1, 5], 2)))
    expect(named.get_by_text("algorithm span")).to_be_visible()
    expect(named.get_by_text("challenger")).to_be_hidden()
    rules = boclust.Algorithm("rr", "local", precision=2.0)
    other = visit(link(make([0, 1, 5], 2, name="nameless", algorithm=rules)))
    expect(other.get_by_text("algorithm rr / local (precision = 2)")).to_be_visible()


def test_costs_are_shown_where_they_differ(visit, make):
    plain, priced = (
        make([0, 1, 5], 2, each=3),
        make([0, 1, 5], 2, each=3, name="priced", arms=["a", "b", {"name": "c", "cost": 4.0}]),
    )
    for study, shown in ((plain, 0), (priced, 1)):
        glance = visit(link(study)).get_by_label("At a glance")
        expect(glance).to_contain_text("9 samples")
        expect(glance.get_by_text("cost 18")).to_have_count(shown)


def test_what_remains_is_explained_where_it_is_drawn(visit, make):
    page = visit(link(make([0, 1, 3], 2, each=85)))
    card = page.get_by_label("Evidence", exact=True)
    expect(card.get_by_role("img")).to_be_visible()
    expect(card.locator(".likely")).to_have_count(1)
    expect(card).to_contain_text("at the present pace (dotted)")
    button(page, "Time").click()
    expect(card.locator(".likely")).to_have_count(0)
    expect(card).not_to_contain_text("dotted")


def test_tokens_and_what_each_role_is_offered(visit, serve, url, token):
    with Study.create(url, "tides", ["a", "b", "c"], 2, 0.1) as study:
        study.tell("a", 1.0)
    texts = {role: token(role) for role in ("read", "tell", "admin")}
    server = serve(url)
    for role, text in texts.items():
        page = visit("?study=tides", server, refusals=3 if role == "read" else 2)
        if role == "read":
            page.get_by_label("Token").fill("boc_00000000_wrong")
            button(page, "Sign in").click()
            expect(page.get_by_role("alert").filter(has_text="token")).to_be_visible()
        page.get_by_label("Token").fill(text)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_contain_text("tides")
        expect(page.get_by_label("Last events")).to_contain_text("a gave 1")
        assert page.evaluate("document.cookie") == ""
        offered = {name: page.get_by_role("button", name=name).count() > 0
                   for name in ("Take the next ask", "Void event", "Stop", "Pause")}  # fmt: skip
        assert offered == {
            "Take the next ask": role != "read", "Void event": role == "admin",
            "Stop": role == "admin", "Pause": role == "admin",
        }  # fmt: skip
        page.get_by_role("link", name="boclust").click()
        expect(page.get_by_role("link", name="tides")).to_be_visible()
        expect(page.get_by_role("button", name="New study")).to_have_count(int(role == "admin"))
        button(page, "Sign out").click()
        expect(page.get_by_label("Token")).to_be_visible()


def test_a_million_events_open_like_a_thousand(browser, make, running):
    """A thousand arms; visits in turn, each in a browser profile of its own.

    The first visits also load the kernels; they are not counted. The times are printed.
    """
    arms, values, clusters = 1000, 1_000_000, 5
    means = 20.0 * (np.arange(arms) % clusters)[:, None] + [0.0, 0.0]
    study, short = make(means, clusters), make(means, clusters, each=3, name="short")
    rng = np.random.default_rng(11)
    numbers = np.arange(arms).tolist()
    for _ in range(values // arms):
        told = rng.normal(means).tolist()
        study.tell_many(list(zip(numbers, told, strict=True)))
    assert study.status().events > values
    times = {study: [], short: []}
    for _ in range(6):
        for one, taken in times.items():
            visit = Visit(browser, running.address)
            begun = time.perf_counter()
            page = visit.open(link(one))
            for title in ("Arms", "Evidence", "Samples per arm", "Tree"):
                expect(page.get_by_label(title, exact=True).get_by_role("img")).to_be_visible()
            expect(page.get_by_label("Last events")).to_contain_text("gave")
            taken.append(time.perf_counter() - begun)
            visit.check()
            visit.context.close()
    print({one.name: [round(seconds, 2) for seconds in taken] for one, taken in times.items()})
    assert np.median(times[study][1:]) < 2 * np.median(times[short][1:])


def test_links_to_what_is_not_there(visit):
    for query in ("?study=nothing", "?study=..", "?study=..%2F..%2Fhealth", "?study="):
        page = visit(query, refusals=None)
        expect(page.get_by_role("heading", name="That did not work")).to_be_visible()
        page.get_by_role("link", name="All studies").click()
        expect(page.get_by_role("heading", name="Studies")).to_be_visible()


def test_one_arm_at_a_time_is_to_be_sampled(visit, make):
    page = visit(link(make([0, 1, 5], 2)))
    why = page.get_by_text("Sample arm 0: every arm needs one sample first.", exact=True)
    expect(why).to_be_visible()
    button(page, "Take the next ask").click()
    expect(value_of(page, "arm 0")).to_be_focused()
    expect(page.locator(".why")).to_be_hidden()
    page.keyboard.type("1")
    button(page, "Tell only").click()
    expect(page.locator(".why")).to_contain_text("Sample arm 1")


def test_values_of_several_numbers(visit, make):
    study = make(np.zeros((3, 3)), 2)
    page = visit(link(study))
    button(page, "Take the next ask").click()
    expect(page.get_by_text("3 numbers separated by spaces")).to_be_visible()
    expect(value_of(page, "arm 0")).to_be_focused()
    page.keyboard.type("1 2")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="“1 2” is not 3 numbers")).to_be_visible()
    value_of(page, "arm 0").fill("0.5, -1;2e-1")
    page.keyboard.press("Enter")
    expect(value_of(page, "arm 1")).to_be_focused()
    page.keyboard.type("1 0 0")
    page.keyboard.press("Enter")
    expect(value_of(page, "arm 2")).to_be_focused()
    page.keyboard.type("2 2 2")
    page.keyboard.press("Enter")
    expect(page.locator(".clusters > li")).to_have_count(2)
    assert clusters(page) == [["arm 0", "arm 1"], ["arm 2"]]
    assert study.status().arms[0].estimate == [0.5, -1.0, 0.2]


def test_a_budget_is_set_spent_and_lifted(visit, make):
    study = make([0, 1, 5], 2, each=1)
    page = visit(link(study))
    button(page, "Budget…").click()
    page.get_by_label("Largest number of samples").fill("4")
    button(page, "Set the budget").click()
    expect(page.get_by_text("Budget: 4 samples, 75 % used.")).to_be_visible()
    button(page, "Take the next ask").click()
    expect(page.get_by_role("textbox", name="Value of")).to_be_focused()
    page.keyboard.type("0")
    button(page, "Tell only").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Budget spent")
    expect(page.get_by_text("The budget is spent, without a certificate")).to_be_visible()
    button(page, "Budget…").click()
    expect(page.get_by_label("Largest number of samples")).to_have_value("4")
    page.get_by_label("Largest number of samples").fill("")
    page.get_by_label("Largest total cost").fill("100.5")
    button(page, "Set the budget").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Open")
    expect(page.get_by_text("Budget: cost 100.5, 4.0 % used.")).to_be_visible()
    budget = study.status().budget
    assert (budget.samples, budget.cost) == (None, 100.5)


def test_many_studies_come_page_by_page(visit, serve, url):
    for i in range(105):
        Study.create(url, f"study {i:03}", 3, 2, 0.1).close()
    page = visit("", serve(url))
    rows = page.get_by_role("row")
    expect(rows).to_have_count(101)
    button(page, "Show more").click()
    expect(rows).to_have_count(106)
    expect(page.get_by_role("button", name="Show more")).to_be_hidden()
    page.get_by_label("Filter by name").fill("study 10")
    expect(rows).to_have_count(6)
    page.get_by_role("link", name="study 104").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("study 104")


def test_behind_a_proxy_under_a_path(browser, serve, url):
    with Study.create(url, "tides", ["a", "b", "c"], 2, 0.1) as study:
        server = serve(url, "--root-path", "/lab")
        inner = server.address.removesuffix("/lab")
        with proxied(inner, "/lab") as address:
            visit = Visit(browser, address)
            page = visit.open()
            page.get_by_role("link", name="tides").click()
            expect(page.get_by_role("heading", level=1)).to_contain_text("tides")
            assert page.url == f"{address}/?study=tides"
            button(page, "Take the next ask").click()
            expect(value_of(page, "a")).to_be_focused()
            page.keyboard.type("1")
            page.keyboard.press("Enter")
            expect(page.get_by_label("Last events")).to_contain_text("a gave 1")
            study.tell_many([("b", 2.0), ("c", 9.0)])  # the stream tells the page
            expect(page.locator(".clusters > li")).to_have_count(2)
            visit.check()
            visit.context.close()
