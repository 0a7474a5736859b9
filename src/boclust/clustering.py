"""``cluster``: one call for a source that can be sampled."""

import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from boclust._validate import FloatArray, IntArray, fail, integer, shown, words
from boclust.families import Family
from boclust.learner import Learner
from boclust.registry import Algorithm
from boclust.sources import Source


@dataclass(frozen=True, eq=False)
class Clustering:
    """The clusters found, and what is guaranteed about them.

    ``stopped`` is "certified" when the guarantee holds, "budget" when ``max_samples`` ran out,
    "interrupted" after Ctrl-C. ``labels`` is None where some arm has no sample. ``doubt`` says why
    the samples cannot be what the family assumes, and ``guarantee`` repeats it; mostly it is empty.
    """

    labels: IntArray | None
    n_samples: int
    pulls: IntArray
    estimates: FloatArray
    stopped: str
    guarantee: str
    doubt: str = ""

    def plot(self, path: str | Path | None = None, names: Sequence[str] | None = None) -> Any:
        """Where the arms are, coloured by their clusters; a Matplotlib figure, saved if asked.

        Arms are larger the more often they were sampled. From three dimensions on, the principal
        components are drawn.

        >>> result = Clustering(
        ...     np.array([0, 0, 1]), 9, np.array([2, 3, 4]), np.array([[0.1], [0.4], [5]]),
        ...     "certified", "none, an example",
        ... )
        >>> result.plot().axes[0].get_xlabel()
        'estimated mean'
        """
        from boclust.plots.arms import draw_places
        from boclust.plots.style import new_figure, saved

        m = len(self.pulls)
        given = range(m) if names is None else names
        called = words("names", given, m, f"{m} names, one for each arm")
        labels = [None] * m if self.labels is None else self.labels.tolist()
        k = 0 if self.labels is None else max(labels) + 1
        clusters = f" in {k} cluster{'s' * (k > 1)}" if k else ""
        title = f"{m} arms{clusters} after {self.n_samples:,} samples"
        figure, axes = new_figure(title, f"Guarantee: {self.guarantee}")
        draw_places(axes, self.estimates, labels, called, self.pulls.astype(float))
        return saved(figure, path)

    def __str__(self) -> str:
        labels = "unknown" if self.labels is None else self.labels.tolist()
        return (
            f"{labels} after {self.n_samples} samples ({self.stopped}); guarantee: {self.guarantee}"
        )


class DoubtWarning(UserWarning):
    """The samples scatter more than the family assumes, so that the guarantee may not hold."""


class SourceError(RuntimeError):
    """A source failed; ``arm`` and ``sample`` say where, ``result`` holds what was learnt."""

    def __init__(self, arm: int, sample: int, reason: str, result: Clustering) -> None:
        super().__init__(f"sample {sample} of arm {arm}: {reason}")
        self.arm = arm
        self.sample = sample
        self.result = result


def cluster(
    sample: Callable[[int], Any],
    n_arms: int,
    n_clusters: int,
    delta: float,
    algorithm: str | Algorithm = "span",
    family: Family | None = None,
    max_samples: int | None = None,
    progress: bool = False,
    dim: int = 1,
) -> Clustering:
    """Sample adaptively until the clusters are certified, wrong with probability at most delta.

    ``sample(arm)`` returns one sample: a number, or ``dim`` of them; a ``boclust.sources`` object
    is such a function. At a tie (d_intra = d_inter) no correct rule stops: give ``max_samples``
    where that may be. Ctrl-C returns what is known. ``progress`` shows a line on the terminal.
    Samples that cannot be what ``family`` assumes make the guarantee doubtful: it says so, and a
    ``DoubtWarning`` too.

    >>> rng = np.random.default_rng(1)
    >>> means = [0.0, 0.4, 5.0, 5.5]
    >>> result = cluster(lambda arm: rng.normal(means[arm]), n_arms=4, n_clusters=2, delta=0.05)
    >>> result.labels.tolist(), result.stopped
    ([0, 0, 1, 1], 'certified')
    """
    if not callable(sample):
        raise fail("sample", f"is {shown(sample)}", "a function of an arm's number")
    if isinstance(sample, Source) and n_arms != sample.n_arms:
        raise fail("n_arms", f"is {shown(n_arms)}", f"{sample.n_arms}, as many as the source has")
    budget = np.inf if max_samples is None else integer("max_samples", max_samples, 1)
    learner = Learner(n_arms, n_clusters, delta, dim, algorithm, family)
    report = _Report(learner) if progress else None
    try:
        while not learner.done and learner.n_samples < budget:
            arm = learner.ask()
            number = int(learner.pulls[arm]) + 1
            try:
                learner.tell(arm, sample(arm))
            except Exception as error:
                reason = str(error) or type(error).__name__
                raise SourceError(arm, number, reason, _result(learner, "error")) from error
            if report:
                report()
    except KeyboardInterrupt:
        return _result(learner, "interrupted")
    finally:
        if report:
            report.close()
    result = _result(learner, "certified" if learner.done else "budget")
    if result.doubt:
        warnings.warn(f"the guarantee is doubtful: {result.doubt}", DoubtWarning, stacklevel=2)
    return result


def _result(learner: Learner, stopped: str) -> Clustering:
    return Clustering(
        learner.labels, learner.n_samples, learner.pulls, learner.estimates, stopped,
        learner.guarantee, learner.doubt,
    )  # fmt: skip


class _Report:
    """A line on standard error that is rewritten twice a second, where that is a terminal."""

    def __init__(self, learner: Learner) -> None:
        self._learner = learner
        self._shown = False
        self._last = time.monotonic()

    def __call__(self) -> None:
        now = time.monotonic()
        if now - self._last > 0.5 and sys.stderr.isatty():
            self._last, self._shown = now, True
            text = f"{self._learner.n_samples} samples, {self._learner.progress:.0%} shown"
            print(f"\r{text}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Leave the line."""
        if self._shown:
            print(file=sys.stderr)
