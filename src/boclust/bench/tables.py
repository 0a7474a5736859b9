"""Rows as tables of text: for the terminal and for Markdown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from boclust.bench.base import Row

_DASH = "–"


@dataclass(frozen=True)
class TextTable:
    """Columns and lines."""

    columns: Sequence[str]
    lines: Sequence[Sequence[str]]

    def markdown(self) -> str:
        """Numbers to the right, in columns after the first."""
        rule = ["---", *("---:" for _ in self.columns[1:])]
        return "\n".join(f"| {' | '.join(line)} |" for line in (self.columns, rule, *self.lines))


def amount(value: float, unit: str) -> str:
    """Three digits, seconds in a unit that suits them.

    >>> amount(0.00123, "s"), amount(1234.5, "MB"), amount(0.98, "exponent")
    ('1.23 ms', '1,234 MB', '0.98')
    """
    factor, name = _suited(value, unit)
    return f"{_digits(value * factor, unit)}{name}"


def spread(row: Row) -> str:
    """The median with the range of the repetitions, in one unit."""
    factor, name = _suited(row.median, row.unit)
    shown = [_digits(value * factor, row.unit) for value in (row.median, row.low, row.high)]
    return f"{shown[0]} ({shown[1]} to {shown[2]}){name}"


def _suited(value: float, unit: str) -> tuple[float, str]:
    """A factor, and the unit that it leads to."""
    if unit == "s":
        for factor, name in ((1e6, " us"), (1e3, " ms")):
            if abs(value) * factor < 999.5:
                return factor, name
    return 1.0, "" if unit == "exponent" else f" {unit}"


def _digits(value: float, unit: str = "") -> str:
    if unit == "exponent":
        return f"{value:.2f}"
    return f"{value:,.0f}" if abs(value) >= 99.95 else f"{value:.3g}"


def ratio(row: Row) -> str:
    """How many times the baseline takes, with its range."""
    assert row.ratio is not None
    assert row.ratio_low is not None
    assert row.ratio_high is not None
    return f"{_digits(row.ratio)} ({_digits(row.ratio_low)} to {_digits(row.ratio_high)})"


def section_table(rows: Sequence[Row], across: str | None) -> TextTable:
    """A line each for what is measured, the baseline, the ratio and the paper's number.

    The values of the parameter ``across`` are columns; what is the same stands in one line.
    """
    heads: list[str] = []
    down: list[str] = []
    groups: dict[tuple[str, ...], dict[str, dict[str, str]]] = {}
    names = list(dict.fromkeys(name for row in rows for name in row.parameters if name != across))
    for row in rows:
        head = f"{across} = {row.parameters[across]}" if across else "measured"
        key = (row.name, *(str(row.parameters.get(name, "")) for name in names))
        group = groups.setdefault(key, {})
        if head not in heads:
            heads.append(head)
        told = {"ours": spread(row)}
        if row.baseline is not None:
            told |= {"baseline": amount(row.baseline, row.unit), "ratio": ratio(row)}
        if row.paper is not None:
            told["the paper"] = amount(row.paper, row.unit)
        for what, text in told.items():
            group.setdefault(what, {})[head] = text
            if what not in down:
                down.append(what)
    first = list(dict.fromkeys(row.name for row in rows))
    lines = []
    for key in sorted(groups, key=lambda key: first.index(key[0])):  # stable: else as measured
        for i, (what, told) in enumerate(groups[key].items()):
            shown = [""] * len(key) if i else key
            kind = [what] if len(down) > 1 else []
            lines.append([*shown, *kind, *(told.get(head, _DASH) for head in heads)])
    return TextTable(["", *names, *([""] if len(down) > 1 else []), *heads], lines)


def marks_table(rows: Iterable[tuple[str, Row]]) -> TextTable:
    """The pass marks: what was measured, what is required, and whether it held."""
    lines = []
    for section, row in rows:
        if row.required is None:
            continue
        where = ", ".join(f"{name} = {value}" for name, value in row.parameters.items() if value)
        shown = ratio(row) if row.least_ratio and row.ratio else spread(row)
        lines.append([section, row.name, where, shown, row.required, verdict(row)])
    return TextTable(["section", "", "", "measured", "required", ""], lines)


def verdict(row: Row) -> str:
    """Of a pass mark."""
    return {True: "held", False: "not held", None: "no ratio measured"}[row.held]
