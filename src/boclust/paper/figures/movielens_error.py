"""Figure 14: MovieLens users, clustered by their ratings of two genres."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from boclust import Algorithm, Gaussian, infimum
from boclust.paper.base_figure import Finished, Point, Statement, curve
from boclust.paper.error_figure import LUCBBOC, ErrorFigure
from boclust.paper.published import published
from boclust.paper.simulated_figure import Problem, Series, fixed_size
from boclust.paper.verdicts import COMPARABLE, claim_below, is_comparable, verdict

_THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1.0, 1.2, 1.4)
_SIZES = (100, 200, 300, 450, 600, 800, 1000, 1300, 1600, 2000, 2500)


class Figure(ErrorFigure):
    """Six users, four clusters."""

    name: ClassVar[str] = "movielens_error"
    title: ClassVar[str] = "Six users of MovieLens by their ratings, four clusters"
    place: ClassVar[str] = "Figure 14"
    data_folder: ClassVar[str] = "movielens-latest-small"
    max_samples: ClassVar[int] = 20_000
    y_log: ClassVar[bool] = True
    measured = (
        Series("RR", Algorithm("rr", "constant"), _THRESHOLDS, 500, 4000, 500),
        Series("ATBOC-Gauss", Algorithm("average", "constant"), _THRESHOLDS, 200, 600, 50),
        Series("LUCBBOC", LUCBBOC, _THRESHOLDS, 500, 4000, 500),
        fixed_size(_SIZES, 500, 4000, 500),
        Series("span", Algorithm("challenger", "constant"), _THRESHOLDS, 500, 4000, 500),
    )

    def make_problem(self) -> Problem:
        """Use pairs of ratings."""
        from boclust import datasets

        data = datasets.movielens(self.data_path)
        notes = (
            "The edition used here does not have the paper's six users. Users "
            f"{', '.join(data.arms)} have the same pattern of clusters. A sample is a pair of "
            "ratings (Comedy, Drama), replayed with replacement.",
            "Z(t) assumes Gaussian ratings with standard deviation 1. "
            + " ".join(data.assumptions),
        )
        description = "MovieLens, six users, Comedy and Drama, Gaussian"
        return Problem(data.instance(Gaussian()), data.replay(), description, notes)

    def statements(self, points: Sequence[Point], finished: Finished) -> list[Statement]:
        """Judge Section VIII-C."""
        both, others = ("ATBOC-Gauss", "LUCBBOC"), ("RR", "FSS")
        pair = self.compare
        others_compared = [pair(points, a, b) for a in both for b in others]
        return [
            claim_below(
                "ATBOC-Gauss shows the best performance, followed by LUCBBOC.",
                [pair(points, "ATBOC-Gauss", "LUCBBOC"), *others_compared],
            ),
            claim_below("ATBOC-Gauss and LUCBBOC perform better than RR and FSS.", others_compared),
            self._scale(points),
            self.trials_statement(),
        ]

    def _scale(self, points: Sequence[Point]) -> Statement:
        """Check how many times the paper's samples a fixed sample size needs here, and say why."""
        claim = "A fixed sample size needs as many samples here as in the paper."
        paper, ours = curve(self.paper_points(), "FSS", "paper"), curve(points, "FSS")
        at = [p.x for p in paper if ours and ours[0].x <= p.x <= ours[-1].x]
        if not at:
            return Statement(claim, "undecided", "The two curves share no error rate.", "check")
        ours_at = np.interp(at, [p.x for p in ours], [p.y for p in ours])
        ratio = ours_at / np.interp(at, [p.x for p in paper], [p.y for p in paper])
        harder = self._difficulty(self.problem.instance.means) / self._difficulty(
            [(p.x, p.y) for p in published("movielens_means")]
        )
        rest = float(np.mean(ratio)) / harder
        return Statement(
            f"{claim[:-1]} (here: within {COMPARABLE:.0%}).",
            verdict(is_comparable(r) for r in ratio),
            f"It needs {ratio.min():.0f} to {ratio.max():.0f} times as many. Our users are "
            f"{harder:.1f} times as hard to distinguish as those of Figure 13 (1/psi at equal "
            f"proportions). Samples with a standard deviation {max(rest, 0.0) ** 0.5:.1f} times "
            f"smaller than that of single ratings would explain the rest, a factor of {rest:.1f}.",
            "check",
        )

    def _difficulty(self, means: Any) -> float:
        """Return 1/psi at equal proportions."""
        weights = np.full(len(means), 1.0 / len(means))
        n_clusters = self.problem.instance.n_clusters
        return 1.0 / infimum(np.asarray(means, dtype=float), weights, n_clusters).value
