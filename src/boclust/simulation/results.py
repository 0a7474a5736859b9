"""What a simulation returns: a row a trial and delta."""

from collections.abc import Iterator
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from boclust._validate import fail, path_of, real, shown

if TYPE_CHECKING:
    from boclust.psi.bound import LowerBound


class Results:
    """Trials as an Arrow table, with summaries that state their uncertainty."""

    def __init__(
        self,
        rows: list[dict[str, Any]],
        guarantees: dict[str, dict[float, str]],
        tasks: tuple[int, int] = (1, 1),
    ) -> None:
        self._rows = rows
        #: How many tasks these are the results of, and how many there are (a sweep in a folder).
        self.tasks = tasks
        #: By algorithm and delta: the statement that holds when it stops, or why none does.
        self.guarantees = guarantees

    @classmethod
    def read(cls, folder: str | Path) -> "Results":
        """What is finished of a sweep (``simulate(..., out=folder)``); ``tasks`` says how much."""
        from boclust.simulation.sweep import Sweep

        accepted = "a folder that simulate wrote"
        sweep = Sweep.read(path_of("folder", folder, accepted))
        if sweep is None:
            raise fail("folder", f"{folder} has no manifest", accepted)
        return sweep.results()

    @cached_property
    def table(self) -> Any:
        """Columns algorithm, delta, trial, n_samples, correct, stopped, pulls (pyarrow)."""
        import pyarrow

        return pyarrow.Table.from_pylist(self._rows)

    def summary(self, confidence: float = 0.99) -> list[dict[str, Any]]:
        """A row an algorithm and delta: samples with their standard error, errors with a bound.

        Errors are wrong answers among certified ones; ``error_rate_high`` is the exact (Clopper-
        Pearson) one-sided upper bound on their probability at the given confidence.
        """
        return list(self._summaries(real("confidence", confidence, 0.0, 1.0)))

    def _summaries(self, confidence: float) -> Iterator[dict[str, Any]]:
        def key(row: dict[str, Any]) -> tuple[str, float]:
            return row["algorithm"], -row["delta"]

        for (name, minus_delta), group in groupby(sorted(self._rows, key=key), key):
            rows = list(group)
            samples = np.array([row["n_samples"] for row in rows], dtype=float)
            certified = [row for row in rows if row["stopped"] == "certified"]
            errors = sum(not row["correct"] for row in certified)
            n = len(certified)
            _, high = exact_interval(errors, n, 1 - confidence)
            yield {
                "algorithm": name,
                "delta": -minus_delta,
                "trials": len(rows),
                "mean_samples": float(samples.mean()),
                "se_samples": float(samples.std(ddof=1) / np.sqrt(len(rows)))
                if len(rows) > 1
                else float("nan"),
                "q90_samples": float(np.quantile(samples, 0.9)),
                "max_samples": int(samples.max()),
                "censored": len(rows) - n,
                "errors": errors,
                "error_rate_high": high,
                "guarantee": self.guarantees[name][-minus_delta],
            }

    def to_pandas(self) -> Any:
        """The table as a pandas data frame (pandas must be installed)."""
        try:
            return self.table.to_pandas()
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                "to_pandas needs pandas (pip install pandas); .table is the same as an Arrow table"
            ) from error

    def plot(
        self,
        path: str | Path | None = None,
        bound: "LowerBound | None" = None,
        title: str = "Mean samples until it stops",
    ) -> Any:
        """Mean samples over log(1/delta), a line an algorithm; a Matplotlib figure, saved if asked.

        ``bound`` is ``boclust.lower_bound`` of the instance, drawn as a dashed line. Marks are
        hollow, under an arrow, where runs never stopped: their mean would be larger.

        >>> import boclust
        >>> instance = boclust.Instance([0, 1, 9], n_clusters=2)
        >>> results = boclust.simulate(instance, ["span", "rr"], [0.1, 0.01], trials=2)
        >>> results.plot(bound=boclust.lower_bound(instance)).axes[0].get_ylabel()
        'samples'
        """
        from boclust.psi.bound import LowerBound
        from boclust.plots.curves import draw_curves
        from boclust.plots.style import saved

        if bound is not None and not isinstance(bound, LowerBound):
            raise fail("bound", f"is {shown(bound)}", "what boclust.lower_bound returns, or None")
        if not isinstance(title, str):
            raise fail("title", f"is {shown(title)}", "a text")
        return saved(draw_curves(*self.plotted(bound, title)), path)

    def plotted(self, bound: "LowerBound | None", title: str) -> tuple[Any, ...]:
        """The arguments of ``plots.curves.draw_curves``, which need little to be loaded."""
        from boclust.plots.curves import Curve

        rows = self.summary()
        if not rows:
            raise fail("results", "has no runs", "a finished simulation")
        names = list(dict.fromkeys(row["algorithm"] for row in self._rows))
        deltas = sorted({row["delta"] for row in rows}, reverse=True)
        curves = []
        for name in names:
            own = {row["delta"]: row for row in rows if row["algorithm"] == name}
            if set(own) != set(deltas):
                raise fail("results", f"has not all deltas of {name!r}", "a finished simulation")
            columns = ("mean_samples", "se_samples", "censored")
            curves.append(Curve(name, *([own[d][key] for d in deltas] for key in columns)))
        least = None if bound is None else [bound.samples(d) for d in deltas]
        return title, _note(rows, bound), deltas, curves, least

    def write(self, path: str | Path) -> None:
        """Write the table as Parquet."""
        from pyarrow import parquet

        file = path_of("path", path, "the name of a file, as text or Path")
        parquet.write_table(self.table, file)


def _note(rows: list[dict[str, Any]], bound: "LowerBound | None") -> str:
    """What must be said beside the curves of these summaries."""
    trials = min(row["trials"] for row in rows)
    said = [f"{trials:,} simulated runs each; bars: two standard errors to either side."]
    unfinished = []
    for name, group in groupby(rows, itemgetter("algorithm")):
        counts = [(row["censored"], row["trials"]) for row in group]
        censored, runs = (sum(column) for column in zip(*counts, strict=True))
        if censored:
            unfinished.append(f"{censored:,} of {runs:,} runs of {name}")
    if unfinished:
        said.append(f"Hollow: {', '.join(unfinished)} not finished, the means are too small.")
    if bound is not None and bound.note:
        said.append(f"Lower bound: {bound.note}.")
    return " ".join(said)


def exact_interval(errors: int, trials: int, tail: float = 0.025) -> tuple[float, float]:
    """The Clopper-Pearson interval of a probability, missed with ``tail`` at each end."""
    if not 0 < errors < trials:  # trials that are all alike need nothing from SciPy
        share = tail ** (1 / trials) if trials else 0.0
        return (0.0, 1 - share) if errors == 0 else (share, 1.0)
    from scipy.special import betaincinv  # scipy.stats takes longer to import than all the rest

    low = float(betaincinv(errors, trials - errors + 1, tail))
    return low, float(betaincinv(errors + 1, trials - errors, 1 - tail))
