"""``cluster``: one call for a source that can be sampled."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from boclust._validate import FloatArray, IntArray, fail, integer
from boclust.families import Family
from boclust.learner import Learner
from boclust.registry import Algorithm


@dataclass(frozen=True, eq=False)
class Clustering:
    """The clusters found, and what is guaranteed about them.

    ``stopped`` is "certified" when the guarantee holds, "budget" when ``max_samples`` ran out,
    "interrupted" after Ctrl-C. ``labels`` is None where some arm has no sample.
    """

    labels: IntArray | None
    n_samples: int
    pulls: IntArray
    estimates: FloatArray
    stopped: str
    guarantee: str

    def __str__(self) -> str:
        labels = "unknown" if self.labels is None else self.labels.tolist()
        return (
            f"{labels} after {self.n_samples} samples ({self.stopped}); guarantee: {self.guarantee}"
        )


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

    ``sample(arm)`` returns one sample: a number, or ``dim`` of them. At a tie (d_intra = d_inter)
    no correct rule stops: give ``max_samples`` where that may be. Ctrl-C returns what is known.

    >>> rng = np.random.default_rng(1)
    >>> means = [0.0, 0.4, 5.0, 5.5]
    >>> result = cluster(lambda arm: rng.normal(means[arm]), n_arms=4, n_clusters=2, delta=0.05)
    >>> result.labels.tolist(), result.stopped
    ([0, 0, 1, 1], 'certified')
    """
    if not callable(sample):
        raise fail("sample", f"is {sample!r}", "a function of an arm's number")
    budget = np.inf if max_samples is None else integer("max_samples", max_samples, 1)
    learner = Learner(n_arms, n_clusters, delta, dim, algorithm, family)
    try:
        while not learner.done and learner.n_samples < budget:
            arm = learner.ask()
            number = int(learner.pulls[arm]) + 1
            try:
                learner.tell(arm, sample(arm))
            except Exception as error:
                reason = str(error) or type(error).__name__
                raise SourceError(arm, number, reason, _result(learner, "error")) from error
            if progress and learner.n_samples % 100 == 0:
                _report(learner)
    except KeyboardInterrupt:
        return _result(learner, "interrupted")
    return _result(learner, "certified" if learner.done else "budget")


def _result(learner: Learner, stopped: str) -> Clustering:
    return Clustering(
        learner.labels, learner.n_samples, learner.pulls, learner.estimates, stopped,
        learner.guarantee,
    )  # fmt: skip


def _report(learner: Learner) -> None:
    import sys

    if sys.stderr.isatty():
        text = f"\r{learner.n_samples} samples, {learner.progress:.0%} of the certificate"
        print(text, end="", file=sys.stderr, flush=True)
