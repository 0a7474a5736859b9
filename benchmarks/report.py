"""The report of a run: tables of its rows, and the files that hold them."""

import hashlib
import json
import os
import platform
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import boclust
from benchmarks.measure import Row, Section

_DASH = "–"


def machine() -> dict[str, Any]:
    """What times depend on."""
    model = platform.processor() or platform.machine()
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    sources = sorted(Path(boclust.__file__).parent.rglob("*.py"))
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": version("numba"),
        "sources": hashlib.sha256(b"".join(one.read_bytes() for one in sources)).hexdigest()[:12],
    }


def _lasting(described: dict[str, Any]) -> dict[str, Any]:
    """What must be the same in all parts of a report."""
    return {name: value for name, value in described.items() if name not in ("date", "load")}


class Report:
    """The rows of each finished section, in ``bench.json``, ``bench.md`` and pictures.

    Files are written after every section. An interrupted run of the same sections on the same
    machine and sources continues with the section where it was; a finished one starts again.
    """

    def __init__(self, out: Path, sections: dict[str, Section], quick: bool) -> None:
        self.out, self.sections, self.quick = out, sections, quick
        self.machine = machine()
        self.found: dict[str, list[Row]] = {}
        out.mkdir(parents=True, exist_ok=True)
        self._resume()

    def _resume(self) -> None:
        wanted = (False, list(self.sections), self.quick, _lasting(self.machine))
        with suppress(OSError, ValueError, KeyError, TypeError):  # nothing saved, or something else
            saved = json.loads((self.out / "bench.json").read_text(encoding="utf-8"))
            settings = (saved["complete"], saved["sections"], saved["quick"])
            if (*settings, _lasting(saved["machine"])) == wanted:
                rows = [(row["section"], Row.from_dict(row)) for row in saved["rows"]]
                self.machine = saved["machine"]
                for name, row in rows:
                    self.found.setdefault(name, []).append(row)

    @property
    def rows(self) -> Iterator[tuple[str, Row]]:
        """Every row with the name of its section."""
        for name, rows in self.found.items():
            for row in rows:
                yield name, row

    @property
    def failed(self) -> list[Row]:
        """The rows that do not reach their pass marks."""
        return [row for _, row in self.rows if row.held is False]

    def add(self, name: str, rows: list[Row]) -> None:
        """Save a finished section."""
        from benchmarks.plots import DRAWN, draw

        self.found[name] = rows
        self._write("bench.json", json.dumps(self.to_dict(), indent=1))
        self._write("bench.md", self.markdown())
        if name in DRAWN:
            draw(name, self.sections[name].TITLE, rows, self.out)

    def _write(self, name: str, text: str) -> None:
        part = self.out / f"{name}.part"  # an interrupted write leaves the old file
        part.write_text(text, encoding="utf-8")
        part.replace(self.out / name)

    def to_dict(self) -> dict[str, Any]:
        """The contents of ``bench.json``."""
        return {
            "machine": self.machine,
            "sections": list(self.sections),
            "quick": self.quick,
            "complete": len(self.found) == len(self.sections),
            "rows": [row.to_dict(name) for name, row in self.rows],
        }

    def markdown(self) -> str:
        """All tables, the pass marks first."""
        on = self.machine
        load = "" if on["load"] is None else f", load {on['load']:.1f} at the start"
        parts = [
            "# Measured by `python -m benchmarks`",
            f"{on['cpu']}, {on['cores']} cores{load}; Python {on['python']}, NumPy {on['numpy']}, "
            f"Numba {on['numba']}; {on['date'][:10]}." + (" Quick run." if self.quick else ""),
        ]
        if any(row.required for _, row in self.rows):
            parts += ["## Pass marks", marks_table(self.rows)]
        for name, rows in self.found.items():
            one = self.sections[name]
            parts += [f"## {one.TITLE}", one.NOTE, section_table(rows, one.ACROSS)]
        return "\n\n".join(parts) + "\n"


def table(lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table whose columns align in a terminal too; the first line is the header."""
    widths = [max(3, *(len(cell) for cell in column)) for column in zip(*lines, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(
        f"| {first.ljust(widths[0])} "
        + "".join(f"| {cell.rjust(width)} " for cell, width in zip(rest, widths[1:], strict=True))
        + "|"
        for first, *rest in (lines[0], rule, *lines[1:])
    )


def section_table(rows: Sequence[Row], across: str | None) -> str:
    """Lines for the measurement, the baseline, the ratio and the paper's figure of each name.

    The values of the parameter ``across`` are columns.
    """
    names = list(dict.fromkeys(name for row in rows for name in row.parameters if name != across))
    heads: dict[str, None] = {}
    groups: dict[tuple[str, ...], dict[str, dict[str, str]]] = {}
    for row in sorted(rows, key=lambda row: [one.name for one in rows].index(row.name)):
        head = f"{across} = {row.parameters[across]}" if across else "measured"
        heads.setdefault(head)
        key = (row.name, *(str(row.parameters.get(name, "")) for name in names))
        kinds = {"ours": spread(row)}
        if row.baseline is not None:
            kinds |= {"baseline": amount(row.baseline, row.unit), "ratio": ratio(row)}
        if row.paper is not None:
            kinds["the paper"] = amount(row.paper, row.unit)
        for kind, text in kinds.items():
            groups.setdefault(key, {}).setdefault(kind, {})[head] = text
    lines = [["", *names, "", *heads]]
    for key, kinds_of in groups.items():
        for i, (kind, cells) in enumerate(kinds_of.items()):
            first = [""] * len(key) if i else key
            lines.append([*first, kind, *(cells.get(head, _DASH) for head in heads)])
    if {line[len(names) + 1] for line in lines[1:]} == {"ours"}:
        lines = [line[: len(names) + 1] + line[len(names) + 2 :] for line in lines]
    return table(lines)


def marks_table(rows: Iterable[tuple[str, Row]]) -> str:
    """The pass marks: what was measured, what is required, and whether it held."""
    lines = [["section", "", "", "measured", "required", ""]]
    for section, row in rows:
        if row.required is not None:
            where = ", ".join(f"{k} = {v}" for k, v in row.parameters.items() if v)
            shown = ratio(row) if row.least_ratio else spread(row)
            verdict = "held" if row.held else "not held"
            lines.append([section, row.name, where, shown, row.required, verdict])
    return table(lines)


def amount(value: float, unit: str) -> str:
    """Three digits, seconds in a suitable unit.

    >>> amount(0.00123, "s"), amount(1234.5, "MB"), amount(0.98, "exponent")
    ('1.23 ms', '1,234 MB', '0.98')
    """
    factor, name = _suitable(value, unit)
    return f"{_digits(value * factor, unit)}{name}"


def spread(row: Row) -> str:
    """The median with the range of the repetitions, in one unit."""
    factor, name = _suitable(row.median, row.unit)
    shown = [_digits(value * factor, row.unit) for value in (row.median, row.low, row.high)]
    return f"{shown[0]} ({shown[1]} to {shown[2]}){name}"


def ratio(row: Row) -> str:
    """The ratio to the baseline with its range."""
    shown = [_digits(value or 0.0) for value in (row.ratio, row.ratio_low, row.ratio_high)]
    return f"{shown[0]} ({shown[1]} to {shown[2]})"


def _suitable(value: float, unit: str) -> tuple[float, str]:
    """A factor, and the unit after multiplying by it."""
    if unit == "s":
        for factor, name in ((1e6, " us"), (1e3, " ms")):
            if abs(value) * factor < 999.5:
                return factor, name
    return 1.0, "" if unit == "exponent" else f" {unit}".rstrip()


def _digits(value: float, unit: str = "") -> str:
    if unit == "exponent":
        return f"{value:.2f}"
    return f"{value:,.0f}" if abs(value) >= 99.95 else f"{value:.3g}"
