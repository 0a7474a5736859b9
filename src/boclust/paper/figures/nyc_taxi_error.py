"""Figure 11: districts of Manhattan, clustered by the time between taxi pickups."""

from collections.abc import Sequence
from typing import ClassVar

from boclust import Algorithm, Exponential
from boclust.paper.base_figure import Finished, Point, Statement
from boclust.paper.error_figure import ErrorFigure
from boclust.paper.simulated_figure import Problem, Series, fixed_size
from boclust.paper.verdicts import claim_below

#: Two busy, two moderate and two quiet zones.
_ZONES = (237, 236, 141, 140, 79, 100)
_HOURS = (8, 22)
_THRESHOLDS = (0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1.1, 1.4, 1.7, 2.0, 2.4, 2.8)


class Figure(ErrorFigure):
    """Six zones, three clusters, with exponential waiting times assumed."""

    name: ClassVar[str] = "nyc_taxi_error"
    title: ClassVar[str] = "Six districts of Manhattan by their taxi pickups, three clusters"
    place: ClassVar[str] = "Figure 11"
    data_folder: ClassVar[str] = "nyc-tlc-yellow"
    max_samples: ClassVar[int] = 20_000
    measured = (
        Series("ATBOC-1pExp", Algorithm("average", "constant"), _THRESHOLDS, 60, 240, 20),
        fixed_size((201, 501, 701, 1001, 1501, 2001), 1000, 5000, 1000),
        Series("RR", Algorithm("rr", "constant"), _THRESHOLDS, 500, 4000, 500),
        Series("span", Algorithm("challenger", "constant"), _THRESHOLDS, 500, 3000, 500),
    )

    def make_problem(self) -> Problem:
        """Use gaps between pickups in seconds."""
        from boclust import datasets

        folder = self.data_path
        file = min(folder.glob("*.parquet"), default=folder / "yellow_tripdata_2025-01.parquet")
        data = datasets.nyc_taxi(file, zones=_ZONES, hours=_HOURS, zero_gap=0.5)
        spread = (data.deviations / data.means).ravel()
        zones = ", ".join(str(zone) for zone in _ZONES)
        notes = (
            "The paper does not name its six regions of January 2025; its text mentions "
            f"ATBOC-Gauss, its plot ATBOC-1pExp. Here: taxi zones {zones} of {file.name} from "
            f"{_HOURS[0]} to {_HOURS[1]} h, gaps of 0 s counted as half a second, replayed with "
            "replacement.",
            "Real gaps are not exponential (their standard deviation is "
            f"{spread.min():.2f} to {spread.max():.2f} times their mean), so no guarantee of the "
            "exponential family applies: the error rates are observed.",
        )
        description = f"taxi zones {zones}, {_HOURS[0]} to {_HOURS[1]} h, exponential"
        return Problem(data.instance(Exponential()), data.replay(), description, notes)

    def statements(self, points: Sequence[Point], finished: Finished) -> list[Statement]:
        """Judge Section VIII-C."""
        others = ("RR", "FSS")
        return [
            claim_below(
                "ATBOC performs better than RR and FSS.",
                [self.compare(points, "ATBOC-1pExp", other) for other in others],
            ),
            self.trials_statement(),
        ]
