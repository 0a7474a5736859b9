"""``cluster``: sample a source until its clusters are certified."""

import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from boclust._validate import MOST_SAMPLES, FloatArray, IntArray, integer, invalid, shown, words
from boclust.problem.families import Family
from boclust.run.algorithm import Algorithm
from boclust.run.learner import Learner
from boclust.sources import Source


@dataclass(frozen=True, eq=False)
class Clustering:
    """The clusters, and what is guaranteed about them.

    ``stopped`` is "certified" if the guarantee holds, "budget" if ``max_samples`` was reached, and
    "interrupted" after Ctrl-C. ``labels`` is None if some arm has no sample. ``doubt`` says why the
    samples do not fit the family, and ``guarantee`` repeats it; it is empty if they fit.
    """

    labels: IntArray | None
    n_samples: int
    pulls: IntArray
    estimates: FloatArray
    stopped: str
    guarantee: str
    doubt: str = ""

    def plot(self, path: str | Path | None = None, names: Sequence[str] | None = None) -> Any:
        """Plot the estimates of the arms, coloured by cluster.

        Returns a Matplotlib figure, and saves it if ``path`` is given. Arms with more samples are
        larger. In three or more dimensions, the plot shows the first two principal components.

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
        called = words("names", given, m, f"{m} names, one per arm")
        labels = [None] * m if self.labels is None else self.labels.tolist()
        k = 0 if self.labels is None else max(labels) + 1
        clusters = f" in {k} cluster{'s' * (k > 1)}" if k else ""
        title = f"{m} arms{clusters} after {self.n_samples:,} samples"
        figure, axes = new_figure(title, f"Guarantee: {self.guarantee}")
        draw_places(axes, self.estimates, labels, called, self.pulls.astype(float))
        return saved(figure, path)

    def __str__(self) -> str:
        labels = "unknown" if self.labels is None else self.labels.tolist()
        how = f"{self.stopped}, but doubtful" if self.doubt else self.stopped
        return f"{labels} after {self.n_samples} samples ({how}); guarantee: {self.guarantee}"


class DoubtWarning(UserWarning):
    """The samples scatter more than the family assumes, so the guarantee may not hold."""


class SourceError(RuntimeError):
    """A source failed at ``sample`` of ``arm``; ``result`` is the clustering so far."""

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
    dim: int | None = None,
) -> Clustering:
    """Sample adaptively until the clusters are certified, wrong with probability at most delta.

    ``sample(arm)`` returns one sample: a number or a vector. A ``boclust.sources`` object is such
    a function. ``dim`` is the number of numbers per sample; by default, the source or the first
    sample determines it. At a tie (d_intra = d_inter), no correct rule stops: give ``max_samples``
    if a tie is possible. Ctrl-C returns the clustering so far. ``progress`` shows a line on the
    terminal. If the samples do not fit ``family``, the guarantee says that it is doubtful, and a
    ``DoubtWarning`` is issued.

    >>> rng = np.random.default_rng(1)
    >>> means = [0.0, 0.4, 5.0, 5.5]
    >>> result = cluster(lambda arm: rng.normal(means[arm]), n_arms=4, n_clusters=2, delta=0.05)
    >>> result.labels.tolist(), result.stopped
    ([0, 0, 1, 1], 'certified')
    """
    if not callable(sample):
        raise invalid("sample", "a function of an arm's number", shown(sample))
    if isinstance(sample, Source):
        dim = _dim_of_source(sample, n_arms, dim)
    budget = np.inf if max_samples is None else integer("max_samples", max_samples, 1, MOST_SAMPLES)
    learner = Learner(n_arms, n_clusters, delta, 1 if dim is None else dim, algorithm, family)
    report = _Report() if progress else None
    try:
        while not learner.done and learner.n_samples < budget:
            arm = learner.ask()
            number = int(learner.pulls[arm]) + 1
            try:
                value = sample(arm)
                if dim is None:
                    value = learner.check_samples(value)
                    dim = value.size or 1  # an empty sample is invalid in any dimension
                    learner = _with_dim(learner, dim)
                learner.tell(arm, value)
            except Exception as error:
                reason = str(error) or type(error).__name__
                raise SourceError(arm, number, reason, _result(learner, "error")) from error
            if report:
                report(learner)
    except KeyboardInterrupt:
        return _result(learner, "interrupted")
    finally:
        if report:
            report.close()
    result = _result(learner, "certified" if learner.done else "budget")
    if result.doubt:
        warnings.warn(f"the guarantee is doubtful: {result.doubt}", DoubtWarning, stacklevel=2)
    return result


def _dim_of_source(source: Source, n_arms: int, dim: int | None) -> int:
    """The dimension of the source; ``n_arms`` and ``dim`` must agree with the source."""
    if n_arms != source.n_arms:
        raise invalid("n_arms", f"{source.n_arms}, the number of arms of the source", shown(n_arms))
    if dim not in (None, source.dim):
        raise invalid("dim", f"{source.dim}, the dimension of the source", shown(dim))
    return source.dim


def _with_dim(learner: Learner, dim: int) -> Learner:
    """The same learner for samples of ``dim`` numbers, after its first ``ask``."""
    if dim == learner.dim:
        return learner
    sized = Learner(
        learner.n_arms, learner.n_clusters, learner.delta, dim, learner.algorithm, learner.family
    )
    sized.ask()  # the same arm: the first samples are taken arm by arm in any dimension
    return sized


def _result(learner: Learner, stopped: str) -> Clustering:
    return Clustering(
        learner.labels, learner.n_samples, learner.pulls, learner.estimates, stopped,
        learner.guarantee, learner.doubt,
    )  # fmt: skip


class _Report:
    """Rewrites a line on standard error twice a second, if that is a terminal."""

    def __init__(self) -> None:
        self._shown = False
        self._last = time.monotonic()

    def __call__(self, learner: Learner) -> None:
        now = time.monotonic()
        if now - self._last > 0.5 and sys.stderr.isatty():
            self._last, self._shown = now, True
            text = f"{learner.n_samples} samples, {learner.progress:.0%} shown"
            print(f"\r{text}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """End the line."""
        if self._shown:
            print(file=sys.stderr)
