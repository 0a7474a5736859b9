"""What a run of the benchmark found, kept in a folder as it comes in."""

import csv
import json
import os
import platform
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from boclust._files import appearing
from boclust.bench import section
from boclust.bench.base import Row
from boclust.bench.tables import marks_table, section_table
from boclust.paper.timing import machine_hash
from boclust.simulation.versions import versions


def machine() -> dict[str, Any]:
    """What times depend on beside the kernels."""
    model = platform.processor() or platform.machine()
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "load": load,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        **versions(),
    }


class Report:
    """Rows by section; files appear whole, after every section that is finished.

    A run that was interrupted, of the same sections with the same kernels on the same machine, is
    gone on with; one that was finished is begun anew.
    """

    def __init__(self, out: Path, sections: Sequence[str], settings: dict[str, Any]) -> None:
        self.out, self.sections = out, sections
        #: What must be the same to go on.
        self.settings = {**settings, "sections": list(sections), "where": machine_hash()}
        self.machine = machine()
        self.found: dict[str, list[Row]] = {}
        self._go_on()

    def _go_on(self) -> None:
        try:
            told = json.loads((self.out / "bench.json").read_text(encoding="utf-8"))
            same = told["machine"]["kernels"] == self.machine["kernels"]
            if told["complete"] or told["settings"] != self.settings or not same:
                return
            for row in told["rows"]:
                self.found.setdefault(row["section"], []).append(Row.from_dict(row))
            self.machine = told["machine"]
        except (OSError, ValueError, KeyError, TypeError):
            self.found = {}

    @property
    def rows(self) -> Iterator[tuple[str, Row]]:
        """Every row with the name of its section."""
        for name, rows in self.found.items():
            for row in rows:
                yield name, row

    @property
    def complete(self) -> bool:
        """Whether every section is finished."""
        return all(name in self.found for name in self.sections)

    @property
    def failed(self) -> list[Row]:
        """The pass marks that did not hold, or whose ratio was not measured."""
        return [row for _, row in self.rows if row.required is not None and not row.held]

    def add(self, name: str, rows: list[Row]) -> None:
        """Keep a finished section: the files of the report anew, and its picture if it has one."""
        self.found[name] = rows
        self.found = {one: self.found[one] for one in self.sections if one in self.found}
        with appearing(self.out / "bench.json") as part:
            part.write_text(json.dumps(self.to_dict(), indent=1), encoding="utf-8")
        with appearing(self.out / "bench.md") as part:
            part.write_text(self.markdown(), encoding="utf-8")
        with appearing(self.out / "bench.csv") as part:
            self._write_csv(part)
        self._draw(name)

    def to_dict(self) -> dict[str, Any]:
        """As JSON says it."""
        return {
            "machine": self.machine,
            "settings": self.settings,
            "complete": self.complete,
            "rows": [row.to_dict(name) for name, row in self.rows],
        }

    def markdown(self) -> str:
        """Every table, the pass marks first."""
        told = self.machine
        load = "" if told["load"] is None else f", load {told['load']:.1f} at the start"
        parts = [
            "# Measured by `boclust bench`",
            f"{told['cpu']}, {told['cores']} cores{load}; Python {told['python']}, NumPy "
            f"{told['numpy']}, Numba {told['numba']}; {told['date'][:10]}."
            + (" Quick run." if self.settings.get("quick") else ""),
        ]
        marks = marks_table(self.rows)
        if marks.lines:
            parts += ["## Pass marks", marks.markdown()]
        for name, rows in self.found.items():
            one = section(name)
            parts += [f"## {one.TITLE}", one.NOTE, section_table(rows, one.ACROSS).markdown()]
        return "\n\n".join(parts) + "\n"

    def _write_csv(self, path: Path) -> None:
        told = [row.to_dict(name) for name, row in self.rows]
        for row in told:
            row["parameters"] = " ".join(f"{k}={v}" for k, v in row["parameters"].items())
            del row["curve"]
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(told[0]))
            writer.writeheader()
            writer.writerows(told)

    def _draw(self, name: str) -> None:
        from boclust.plots.bench import DRAWN

        if name not in DRAWN:
            return
        with ExitStack() as stack:
            paths = {
                kind: stack.enter_context(appearing(self.out / f"{name}.{kind}"))
                for kind in ("png", "svg")
            }
            DRAWN[name](paths, section(name).TITLE, self.found[name])
