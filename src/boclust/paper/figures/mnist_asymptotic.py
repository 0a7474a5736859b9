"""Figure 12: twenty streams of handwritten digits, ten clusters."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

from boclust import Algorithm, Gaussian
from boclust.paper.base_figure import Finished, Point, Statement, curve
from boclust.paper.delta_figure import DeltaFigure, lucbboc, plotted_logs
from boclust.paper.simulated_figure import NEVER, SEED, Problem, Series
from boclust.paper.tasks import Rows, Task
from boclust.paper.verdicts import COMPARABLE, claim_below, compare, is_comparable, verdict

_LOGS = plotted_logs("mnist_asymptotic", "ATBOC-Gauss")
#: A sample is the mean of this many images, divided by a unit in which Z(t) assumes sigma = 1.
_IMAGES, _UNIT = 100, 0.06
#: Numbers of single images: the paper's smallest and largest mean.
_SINGLE, _SINGLE_TRIALS = (110, 145), 200


class Figure(DeltaFigure):
    """Twenty arms, ten principal components."""

    name: ClassVar[str] = "mnist_asymptotic"
    title: ClassVar[str] = "Twenty streams of handwritten digits, ten clusters"
    place: ClassVar[str] = "Figure 12"
    data_folder: ClassVar[str] = "mnist"
    bound_name: ClassVar[str] = "T* of Gaussian arms"
    measured = (
        Series("ATBOC-Gauss", "atboc", _LOGS, 20, 100, 20),
        Series("LUCBBOC", lucbboc(_LOGS), _LOGS, 100, 1000),
        Series("span", "span", _LOGS, 200, 1000),
    )

    @cached_property
    def images(self) -> Any:
        """The data set without scaling."""
        from boclust import datasets

        return datasets.mnist(self.data_path)

    def make_problem(self) -> Problem:
        """Use scaled means of images."""
        images = self.images
        data = images.averaged(_IMAGES).standardised(_UNIT)
        instance = data.instance(Gaussian())
        wide = images.scale.largest_eigenvalue**0.5
        apart = images.instance(Gaussian()).d_inter
        notes = (
            f"Scaling: pixels from 0 to 1, {images.dim} principal components; a sample is the mean "
            f"of {_IMAGES} images, replayed with replacement, divided by {_UNIT}. The two numbers "
            "were chosen so that ATBOC needs about as many samples as in the paper, which does not "
            "say how its images are scaled.",
            f"Single images vary widely: the standard deviation in a direction is up to {wide:.1f},"
            f" the smallest distance between two digits {apart:.1f}. "
            + " ".join(images.assumptions),
        )
        description = f"MNIST, means of {_IMAGES} images divided by {_UNIT}, Gaussian"
        return Problem(instance, data.replay(), description, notes)

    def tasks(self, quick: bool) -> list[Task]:
        """Add clusterings of single images to the curves."""
        description = {
            "problem": "MNIST, single images", "fingerprint": self.problem.fingerprint,
            "algorithm": "in turn", "thresholds": _SINGLE, "fixed_size": True,
            "trials": [0, _SINGLE_TRIALS], "seed": SEED,
        }  # fmt: skip
        return [*super().tasks(quick), Task(description, self._single)]

    def _single(self) -> Rows:
        from boclust import simulate

        instance, source = self.images.instance(Gaussian()), self.images.replay()
        rows = []
        for size in _SINGLE:
            simulated = simulate(
                instance, [Algorithm("rr", "constant")], [NEVER], _SINGLE_TRIALS, seed=SEED,
                max_samples=size, source=source,
            )  # fmt: skip
            wrong = sum(not row["correct"] for row in simulated.table.to_pylist())
            rows.append({"threshold": size, "wrong": wrong})
        return rows

    def statements(self, points: Sequence[Point], finished: Finished) -> list[Statement]:
        """Judge Section VIII-C."""
        named = ("ATBOC-Gauss", "LUCBBOC")
        errors = {s: sum(p.errors for p in curve(points, s)) for s in named}
        answers = {s: sum(p.trials for p in curve(points, s)) for s in named}
        wrong = "; ".join(f"{s}: {errors[s]} of {answers[s]:,} answers wrong" for s in named)
        single = ", ".join(
            f"{row['wrong']} of {_SINGLE_TRIALS} clusterings wrong after {row['threshold']}"
            for _, rows in finished
            for row in rows
            if "wrong" in row
        )
        return [
            claim_below("ATBOC-Gauss performs better than LUCBBOC.", [compare(points, *named)]),
            Statement(
                "The twenty streams are grouped by their digits.",
                verdict([errors[s] == 0 for s in named]),
                f"{wrong}. With single images, arm by arm in turn: {single}.",
                "check",
            ),
            self._ratio(points),
            self.trials_statement(),
        ]

    def _ratio(self, points: Sequence[Point]) -> Statement:
        """Check LUCBBOC over ATBOC: the choice of the scale does not fix this ratio."""
        pairs = {}
        for source in ("here", "paper"):
            a, b = (curve(points, s, source) for s in ("LUCBBOC", "ATBOC-Gauss"))
            pairs[source] = [p.y / q.y for p, q in zip(a, b, strict=True)]
        both = list(zip(pairs["here"], pairs["paper"], strict=True))
        ranges = {}
        for series in ("ATBOC-Gauss", "LUCBBOC"):
            samples = [p.y for p in curve(points, series)]
            ranges[series] = f"{min(samples):.0f} to {max(samples):.0f}"
        return Statement(
            "LUCBBOC (207 to 249 samples) needs 1.7 to 1.9 times as many as ATBOC-Gauss (110 to "
            f"145) (here: the ratio within {COMPARABLE:.0%}).",
            verdict(is_comparable(h / p) for h, p in both),
            f"Here ATBOC-Gauss needs {ranges['ATBOC-Gauss']}, LUCBBOC {ranges['LUCBBOC']}: "
            f"{min(pairs['here']):.2f} to {max(pairs['here']):.2f} times as many.",
            "check",
        )
