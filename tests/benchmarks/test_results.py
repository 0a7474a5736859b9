"""The page of results is the one that its script writes."""

import re

from benchmarks import results


def test_the_page_has_what_the_script_writes():
    page = results.PAGE.read_text(encoding="utf-8")
    assert re.findall(r"^#+ (.*)$", page, re.MULTILINE) == [results.TITLE, *results.SECTIONS]
    assert page.startswith(f"# {results.TITLE}\n\n{results.wrapped(results.LETTERS)}\n")


def test_a_row_of_the_table_is_written_as_on_the_page():
    (row,) = results.summary(results.A, "span", [4.0], 2)
    line = results.samples_row("A", row, 321.9)
    assert line.startswith("| A | `span` | ")
    assert line.endswith(" | 322 |")
    page = results.PAGE.read_text(encoding="utf-8")
    (header,) = re.findall(r"^\| instance .*$", page, re.MULTILINE)
    assert line.count("|") == header.count("|")
