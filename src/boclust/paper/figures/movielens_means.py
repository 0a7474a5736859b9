"""Figure 13: the mean ratings of the six users."""

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

from boclust.paper.base_figure import BaseFigure, Finished, Paths, Point, Statement
from boclust.paper.tasks import Rows, Task


def _means(data: Any) -> Rows:
    return [
        {"user": user, "cluster": int(label), "x": float(mean[0]), "y": float(mean[1])}
        for user, label, mean in zip(data.arms, data.labels, data.means, strict=True)
    ]


class Figure(BaseFigure):
    """The mean ratings in the plane, coloured by cluster."""

    name: ClassVar[str] = "movielens_means"
    title: ClassVar[str] = "Mean ratings of the six users, four clusters"
    place: ClassVar[str] = "Figure 13"
    data_folder: ClassVar[str] = "movielens-latest-small"
    x_name: ClassVar[str] = "mean Comedy rating"
    y_name: ClassVar[str] = "mean Drama rating"

    def notes(self, points: Sequence[Point]) -> list[str]:
        """Name the difference in users."""
        return [
            "The users differ from the paper's, with the same pattern of clusters (see Figure 14). "
            "Clusters are those of single linkage."
        ]

    def tasks(self, quick: bool) -> list[Task]:
        """Compute the means."""
        from boclust import datasets

        data = datasets.movielens(self.data_path)
        description = {"means of": self.data_folder, "means": data.means.tolist()}
        return [Task(description, partial(_means, data))]

    def points(self, finished: Finished) -> list[Point]:
        """Make one point per user."""
        return [
            Point(
                f"cluster {row['cluster'] + 1}", "here", row["x"], row["y"], algorithm=row["user"]
            )
            for _, rows in finished
            for row in rows
        ]

    def statements(self, points: Sequence[Point], finished: Finished) -> list[Statement]:
        """Check the pattern of the clusters."""

        def sizes(source: str) -> list[int]:
            series = [p.series for p in points if p.source == source]
            return sorted(series.count(name) for name in set(series))

        same = sizes("here") == sizes("paper") and bool(sizes("here"))
        return [
            Statement(
                "Six users form four clusters: two of two users, two of one.",
                "held" if same else "not held",
                f"Sizes of the clusters: {sizes('paper')} in the paper, {sizes('here')} here.",
                "check",
            )
        ]

    def draw(self, points: Sequence[Point], paths: Paths) -> None:
        """Draw one point per user, coloured by cluster."""
        from boclust.plots.paper import draw_means

        draw_means(paths, self.title, self.x_name, self.y_name, points)
