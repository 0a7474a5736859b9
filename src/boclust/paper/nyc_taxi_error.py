"""Figure 11: taxi pickups in Manhattan, districts by the time between two of them."""

from collections.abc import Sequence
from typing import ClassVar

from boclust.families import Exponential
from boclust.paper.base import Found, Point, Statement
from boclust.paper.simulated import FIXED_SIZE, ErrorFigure, Plan, Problem
from boclust.registry import Algorithm

#: Two busy, two moderate and two quiet zones.
_ZONES = (237, 236, 141, 140, 79, 100)
_SWEEP = (0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1.1, 1.4, 1.7, 2.0, 2.4, 2.8)


class Figure(ErrorFigure):
    """Six zones, three clusters, exponential waiting times assumed."""

    name: ClassVar[str] = "nyc_taxi_error"
    title: ClassVar[str] = "Six districts of Manhattan by their taxi pickups, three clusters"
    place: ClassVar[str] = "Figure 11"
    data_folder: ClassVar[str] = "nyc-tlc-yellow"
    max_samples: ClassVar[int] = 20_000
    plans = (
        Plan("ATBOC-1pExp", Algorithm("average", "constant"), _SWEEP, 60, 1500, 20),
        Plan("FSS", FIXED_SIZE, (201, 501, 701, 1001, 1501, 2001), 1000, 20000, 1000),
        Plan("RR", Algorithm("rr", "constant"), _SWEEP, 500, 20000, 500),
        Plan("span", Algorithm("challenger", "constant"), _SWEEP, 500, 10000, 500),
    )
    notes = (
        "The paper does not say which six regions it takes, and uses January 2025. Here: taxi "
        "zones 237, 236 (busy), 141, 140 (moderate), 79, 100 (quiet) in January 2024 from 8 to "
        "22 h, where gaps are nearest to exponential (their standard deviation is 1.1 to 1.3 times "
        "their mean); gaps of 0 s count as half a second; records are replayed with replacement.",
        "Real gaps are not exponential, so no guarantee of the exponential family applies; the "
        "error rates are observed ones.",
    )

    def make_problem(self) -> Problem:
        """Gaps between pickups in seconds."""
        from boclust import datasets

        folder = self.data_path
        file = min(folder.glob("*.parquet"), default=folder / "yellow_tripdata_2024-01.parquet")
        data = datasets.nyc_taxi(file, zones=_ZONES, hours=(8, 22), zero_gap=0.5)
        told = f"taxi zones {_ZONES} from 8 to 22 h of {file.name}, exponential"
        return Problem(data.instance(Exponential()), data.replay(), told)

    def statements(self, points: Sequence[Point], found: Found) -> list[Statement]:
        """Section VIII-C."""
        return [
            self.better(
                points,
                "ATBOC performs better than RR and FSS.",
                [("ATBOC-1pExp", "RR"), ("ATBOC-1pExp", "FSS")],
            )
        ]
