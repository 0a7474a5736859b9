"""Figure 12: twenty streams of handwritten digits, ten clusters."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from boclust.families import Gaussian
from boclust.paper.base import Found, Point, Statement, compare, curve, verdict
from boclust.paper.cells import Cell, Rows
from boclust.paper.simulated import SEED, AsymptoticFigure, Plan, Problem, paper_logs
from boclust.registry import Algorithm

_LOGS = paper_logs("mnist_asymptotic", "ATBOC-Gauss")
_LUCB = Algorithm("lucb-ucb", "paper", radius_delta=float(np.exp(-max(_LOGS))))
#: Images whose mean is a sample, and the unit of length, in which Z(t) takes sigma for 1.
_IMAGES, _UNIT = 100, 0.06
#: Single images, as many as the paper's smallest and largest mean.
_SINGLE = (110, 145)


class Figure(AsymptoticFigure):
    """Twenty arms, ten principal components."""

    name: ClassVar[str] = "mnist_asymptotic"
    title: ClassVar[str] = "Twenty streams of handwritten digits, ten clusters"
    place: ClassVar[str] = "Figure 12"
    data_folder: ClassVar[str] = "mnist"
    plans = (
        Plan("ATBOC-Gauss", "atboc", _LOGS, 20, 400, 20),
        Plan("LUCBBOC", _LUCB, _LOGS, 100, 1000),
        Plan("span", "span", _LOGS, 200, 1000),
    )
    notes = (
        f"Scaling: pixels from 0 to 1, ten principal components; a sample is the mean of {_IMAGES} "
        f"images, replayed with replacement, and is divided by {_UNIT}. Then ATBOC takes about as "
        "many samples as in the paper, which does not say how its images are scaled.",
        "Single images spread so widely (standard deviation up to 2.9 in a direction, distance of "
        "the digits 4 and 9: 1.9) that no method can tell the digits apart from so few of them.",
        "Variances are neither known nor common: no Gaussian guarantee applies. What holds for "
        "single images is sub-Gaussian noise with scale 14 (784 pixels from 0 to 1).",
    )

    @cached_property
    def images(self) -> Any:
        """The data set, as it is."""
        from boclust import datasets

        return datasets.mnist(self.data_path)

    def make_problem(self) -> Problem:
        """Means of images, scaled."""
        data = self.images.averaged(_IMAGES).standardised(_UNIT)
        told = f"MNIST, train, PCA to 10, means of {_IMAGES} images divided by {_UNIT}, Gaussian"
        return Problem(data.instance(Gaussian()), data.replay(), told)

    def cells(self, quick: bool) -> list[Cell]:
        """Beside the curves, what single images tell."""
        what = {
            "problem": "MNIST, train, PCA to 10, single images", "algorithm": "in turn",
            "thresholds": _SINGLE, "fixed_size": True, "trials": [0, 200], "seed": SEED,
        }  # fmt: skip
        return [*super().cells(quick), Cell(what, self._single)]

    def _single(self) -> Rows:
        from boclust.simulation import simulate

        instance, source = self.images.instance(Gaussian()), self.images.replay()
        rows = []
        for size in _SINGLE:
            found = simulate(
                instance, [Algorithm("rr", "constant")], [1e-300], 200, seed=SEED,
                max_samples=size, source=source,
            )  # fmt: skip
            wrong = sum(not row["correct"] for row in found.table.to_pylist())
            rows.append({"threshold": size, "trial": 0, "wrong": wrong})
        return rows

    def statements(self, points: Sequence[Point], found: Found) -> list[Statement]:
        """Section VIII-C."""
        compared = compare(points, "ATBOC-Gauss", "LUCBBOC")
        errors = {s: sum(p.errors for p in curve(points, s)) for s in ("ATBOC-Gauss", "LUCBBOC")}
        trials = {s: sum(p.trials for p in curve(points, s)) for s in errors}
        told = "; ".join(f"{s}: {errors[s]} of {trials[s]} answers wrong" for s in errors)
        single = [row["wrong"] for cell, rows in found for row in rows if "wrong" in row]
        ranges = "; ".join(
            f"{s} {curve(points, s)[0].y:.0f} to {curve(points, s)[-1].y:.0f}" for s in errors
        )
        return [
            Statement(
                "ATBOC-Gauss performs better than LUCBBOC.", verdict(compared.below), f"{compared}."
            ),
            Statement(
                "The twenty streams are grouped by their digits.",
                verdict([errors[s] == 0 for s in errors]),
                f"{told}.",
            ),
            Statement(
                "ATBOC-Gauss takes 110 to 145 samples, LUCBBOC 207 to 249.",
                verdict(
                    [0.8 < p.y / q.y < 1.25 for s in errors for p, q in self._pairs(points, s)]
                ),
                f"Here: {ranges}, with samples that are means of {_IMAGES} images. After 110 and "
                f"145 single images {single[0]} and {single[1]} of 200 clusterings were wrong.",
            ),
        ]

    def _pairs(self, points: Sequence[Point], series: str) -> list[tuple[Point, Point]]:
        paper = curve(self.paper_points(), series, "paper")
        return list(zip(curve(points, series), paper, strict=True))
