"""A study as it stands: where the arms are, and how the certificate came about."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from boclust.plots.arms import draw_course, draw_places
from boclust.plots.style import new_figure, say, short

if TYPE_CHECKING:
    from boclust.run.learner import Learner
    from boclust.study.trace import Trace


def draw_study(name: str, arms: Sequence[str], learner: "Learner", trace: "Trace") -> Any:
    """Two panels: the arms with their regions, coloured by cluster; evidence against threshold."""
    title = f"{short(name, 48)}: {learner.n_arms} arms after {learner.n_samples:,} samples"
    note = f"Guarantee: {learner.guarantee}. Regions hold with probability {1 - learner.delta:g}"
    figure, (left, right) = new_figure(title, note, panels=2)
    labels = [None] * learner.n_arms if learner.labels is None else learner.labels.tolist()
    pulls = learner.pulls.astype(float)
    draw_places(left, learner.estimates, labels, arms, pulls, learner.regions)
    if learner.n_clusters in (1, learner.n_arms):
        say(right, "There is only one possible clustering: no evidence is needed.")
    else:
        draw_course(right, trace.samples, trace.evidence, trace.threshold)
    return figure
