"""Colours, marks and names, the same in every picture."""

import pytest

from boclust.plots.style import (
    BOUND_LINE,
    COLOURS,
    GREY,
    HATCHES,
    LEVEL_LINE,
    MARKERS,
    colour,
    hatch,
    marker,
    new_figure,
    short,
)


def test_looks_do_not_repeat_before_all_were_used():
    many = range(len(COLOURS) * len(MARKERS))
    assert len(HATCHES) == len(MARKERS)
    assert len({(colour(i), marker(i)) for i in many}) == len(many)
    assert len({(colour(i), hatch(i)) for i in many}) == len(many)
    assert (colour(len(many)), marker(len(many))) == (colour(0), marker(0))


def test_an_unknown_cluster():
    assert (colour(None), marker(None), hatch(None)) == (GREY, MARKERS[0], HATCHES[0])


def test_the_lower_bound_has_a_style_of_its_own():
    assert BOUND_LINE["linestyle"] != LEVEL_LINE["linestyle"]


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("north", "north"),
        ("n" * 20, "n" * 20),
        ("n" * 20 + "1", "n" * 13 + "…" + "n" * 5 + "1"),
        ("two\nlines", "two lines"),
        ("5 $ or 6 $", r"5 \$ or 6 \$"),
    ],
)
def test_names_are_short_plain_text(name, written):
    assert short(name) == written


def test_title_and_note_are_wrapped():
    figure, panels = new_figure("MANY WORDS " * 20, "few words " * 40, panels=2)
    figure.draw_without_rendering()
    title, note = (t.get_window_extent() for t in (figure._suptitle, figure._supxlabel))
    for box in (title, note):
        assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1
    for axes in panels:
        assert note.y1 < axes.get_window_extent().y0 < axes.get_window_extent().y1 < title.y0
