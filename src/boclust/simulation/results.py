"""The results of a simulation: one row per trial and delta."""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from boclust._validate import BoolArray, IntArray, invalid, path_of, real, shown

if TYPE_CHECKING:
    from boclust.psi.bound import LowerBound


class Results:
    """Trials as an Arrow table, with summaries that state their uncertainty."""

    def __init__(
        self, table: Any, guarantees: dict[str, dict[float, str]], tasks: tuple[int, int] = (1, 1)
    ) -> None:
        self._table = table
        #: The statement that holds when an algorithm stops, or why there is none, by algorithm and
        #: delta.
        self.guarantees = guarantees
        #: The number of finished tasks and of all tasks, for a simulation kept in a folder.
        self.tasks = tasks

    @classmethod
    def read(cls, folder: str | Path) -> "Results":
        """Read the finished tasks of ``simulate(..., out=folder)``; ``tasks`` counts them."""
        from boclust.simulation.sweep import MANIFEST, Sweep

        accepted = "a folder that simulate wrote"
        sweep = Sweep.read(path_of("folder", folder, accepted))
        if sweep is None:
            raise invalid("folder", accepted, f"{folder}, which has no {MANIFEST}")
        return sweep.results()

    @property
    def table(self) -> Any:
        """A pyarrow table: algorithm, delta, trial, n_samples, correct, stopped, pulls."""
        return self._table

    def summary(self, confidence: float = 0.99) -> list[dict[str, Any]]:
        """One row per algorithm and delta: mean samples with standard error, errors with a bound.

        Errors are wrong answers among certified ones; ``error_rate_high`` is the exact (Clopper-
        Pearson) one-sided upper bound on their probability at the given confidence.
        """
        tail = 1 - real("confidence", confidence, 0.0, 1.0)
        return [
            {
                "algorithm": name,
                "delta": delta,
                **_summary(*columns, tail),
                "guarantee": self.guarantees[name][delta],
            }
            for name, delta, columns in self._groups()
        ]

    def _groups(self) -> Iterator[tuple[str, float, tuple[IntArray, BoolArray, BoolArray]]]:
        """(n_samples, certified, correct) by algorithm and delta, the largest delta first."""
        from pyarrow import compute

        names = self.table["algorithm"]
        for name in sorted(names.unique().to_pylist()):
            table = self.table.select(["delta", "n_samples", "stopped", "correct"])
            own = table.filter(compute.equal(names, name))
            deltas, samples = own["delta"].to_numpy(), own["n_samples"].to_numpy()
            certified = compute.equal(own["stopped"], "certified").to_numpy()
            correct = own["correct"].to_numpy()
            for delta in np.unique(deltas)[::-1].tolist():
                rows = deltas == delta
                yield name, delta, (samples[rows], certified[rows], correct[rows])

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
        """Plot mean samples against log(1/delta), one line per algorithm.

        Returns a Matplotlib figure, and saves it if ``path`` is given. ``bound`` is
        ``boclust.lower_bound`` of the instance, drawn as a dashed line. Hollow marks under an
        arrow stand for means that include unfinished runs and are therefore too small.

        >>> import boclust
        >>> instance = boclust.Instance([0, 1, 9], n_clusters=2)
        >>> results = boclust.simulate(instance, ["span", "rr"], [0.1, 0.01], trials=2)
        >>> results.plot(bound=boclust.lower_bound(instance)).axes[0].get_ylabel()
        'samples'
        """
        from boclust.plots.curves import draw_curves
        from boclust.plots.style import saved
        from boclust.psi.bound import LowerBound

        if bound is not None and not isinstance(bound, LowerBound):
            raise invalid("bound", "a boclust.LowerBound or None", shown(bound))
        if not isinstance(title, str):
            raise invalid("title", "a string", shown(title))
        return saved(draw_curves(*self.plotted(bound, title)), path)

    def plotted(self, bound: "LowerBound | None", title: str) -> tuple[Any, ...]:
        """The arguments of ``plots.curves.draw_curves``; another process can unpickle them fast."""
        from boclust.plots.curves import Curve

        rows = self.summary()
        if not rows:
            raise invalid("results", "a finished simulation", "no runs")
        names = self.table["algorithm"].unique().to_pylist()
        deltas = sorted({row["delta"] for row in rows}, reverse=True)
        curves = []
        for name in names:
            own = {row["delta"]: row for row in rows if row["algorithm"] == name}
            if set(own) != set(deltas):
                got = f"{len(own)} of {len(deltas)} deltas for {name!r}"
                raise invalid("results", "a finished simulation", got)
            columns = ("mean_samples", "se_samples", "censored")
            curves.append(Curve(name, *([own[d][key] for d in deltas] for key in columns)))
        least = None if bound is None else [bound.samples(d) for d in deltas]
        return title, _note(rows, bound), deltas, curves, least

    def write(self, path: str | Path) -> None:
        """Write the table as Parquet."""
        from pyarrow import parquet

        file = path_of("path", path, "the name of a file, as str or Path")
        parquet.write_table(self.table, file)


def _summary(
    n_samples: IntArray, certified: BoolArray, correct: BoolArray, tail: float
) -> dict[str, Any]:
    samples = n_samples.astype(float)
    n, n_certified = len(samples), int(certified.sum())
    errors = int((certified & ~correct).sum())
    _, high = exact_interval(errors, n_certified, tail)
    return {
        "trials": n,
        "mean_samples": float(samples.mean()),
        "se_samples": float(samples.std(ddof=1) / np.sqrt(n)) if n > 1 else float("nan"),
        "q90_samples": float(np.quantile(samples, 0.9)),
        "max_samples": int(samples.max()),
        "censored": n - n_certified,
        "errors": errors,
        "error_rate_high": high,
    }


def _note(rows: list[dict[str, Any]], bound: "LowerBound | None") -> str:
    """The text under the curves of these summaries."""
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
    """The Clopper-Pearson interval of a probability, with error ``tail`` at each end."""
    if not 0 < errors < trials:  # closed forms, without importing SciPy
        share = tail ** (1 / trials) if trials else 0.0
        return (0.0, 1 - share) if errors == 0 else (share, 1.0)
    from scipy.special import betaincinv  # scipy.stats takes long to import

    low = float(betaincinv(errors, trials - errors + 1, tail))
    return low, float(betaincinv(errors + 1, trials - errors, 1 - tail))
