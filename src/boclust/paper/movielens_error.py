"""Figure 14: users of MovieLens by their ratings of two genres."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from boclust.psi import infimum
from boclust.problem.families import Gaussian
from boclust.paper.base import Found, Point, Statement, curve
from boclust.paper.comparison import COMPARABLE, below, verdict
from boclust.paper.error import LUCB, ErrorFigure
from boclust.paper.published import published
from boclust.paper.simulated import Plan, Problem, fixed_size
from boclust.run.algorithm import Algorithm

_SWEEP = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1.0, 1.2, 1.4)
_SIZES = (100, 200, 300, 450, 600, 800, 1000, 1300, 1600, 2000, 2500)


class Figure(ErrorFigure):
    """Six users, four clusters."""

    name: ClassVar[str] = "movielens_error"
    title: ClassVar[str] = "Six users of MovieLens by their ratings, four clusters"
    place: ClassVar[str] = "Figure 14"
    data_folder: ClassVar[str] = "movielens-latest-small"
    max_samples: ClassVar[int] = 20_000
    y_log: ClassVar[bool] = True
    plans = (
        Plan("RR", Algorithm("rr", "constant"), _SWEEP, 500, 4000, 500),
        Plan("ATBOC-Gauss", Algorithm("average", "constant"), _SWEEP, 200, 600, 50),
        Plan("LUCBBOC", LUCB, _SWEEP, 500, 4000, 500),
        fixed_size(_SIZES, 500, 4000, 500),
        Plan("span", Algorithm("challenger", "constant"), _SWEEP, 500, 4000, 500),
    )

    def make_problem(self) -> Problem:
        """Pairs of ratings."""
        from boclust import datasets

        data = datasets.movielens(self.data_path)
        notes = (
            "The paper's six users are not in the edition used here. Users "
            f"{', '.join(data.arms)} have the same pattern of clusters. A sample is a pair of "
            "ratings (Comedy, Drama), replayed with replacement.",
            "Z(t) takes ratings as Gaussian with standard deviation 1. "
            + " ".join(data.assumptions),
        )
        told = "MovieLens, six users, Comedy and Drama, Gaussian"
        return Problem(data.instance(Gaussian()), data.replay(), told, notes)

    def statements(self, points: Sequence[Point], found: Found) -> list[Statement]:
        """Section VIII-C."""
        both, others = ("ATBOC-Gauss", "LUCBBOC"), ("RR", "FSS")
        pair = self.compare
        beside = [pair(points, a, b) for a in both for b in others]
        return [
            below(
                "ATBOC-Gauss shows the best performance, followed by LUCBBOC.",
                [pair(points, "ATBOC-Gauss", "LUCBBOC"), *beside],
            ),
            below("ATBOC-Gauss and LUCBBOC perform better than RR and FSS.", beside),
            self._scale(points),
            self.trials_statement(),
        ]

    def _scale(self, points: Sequence[Point]) -> Statement:
        """How many times the paper's samples a fixed sample size takes here, and why."""
        claim = "A fixed sample size takes as many samples here as in the paper."
        paper, ours = curve(self.paper_points(), "FSS", "paper"), curve(points, "FSS")
        at = [p.x for p in paper if ours and ours[0].x <= p.x <= ours[-1].x]
        if not at:
            return Statement(claim, "undecided", "The two share no error rate.", "check")
        ours_at = np.interp(at, [p.x for p in ours], [p.y for p in ours])
        ratio = ours_at / np.interp(at, [p.x for p in paper], [p.y for p in paper])
        harder = self._difficulty(self.problem.instance.means) / self._difficulty(
            [(p.x, p.y) for p in published("movielens_means")]
        )
        rest = float(np.mean(ratio)) / harder
        return Statement(
            f"{claim[:-1]} (here: within {COMPARABLE:.0%}).",
            verdict(1 / (1 + COMPARABLE) <= r <= 1 + COMPARABLE for r in ratio),
            f"It takes {ratio.min():.0f} to {ratio.max():.0f} times as many. Our users are "
            f"{harder:.1f} times as hard to tell apart as those of Figure 13 (1/psi at equal "
            f"shares); the rest, a factor of {rest:.1f}, would come from samples with a standard "
            f"deviation {max(rest, 0.0) ** 0.5:.1f} times smaller than that of single ratings.",
            "check",
        )

    def _difficulty(self, means: Any) -> float:
        """1/psi at equal shares."""
        shares = np.full(len(means), 1.0 / len(means))
        n_clusters = self.problem.instance.n_clusters
        return 1.0 / infimum(np.asarray(means, dtype=float), shares, n_clusters).value
