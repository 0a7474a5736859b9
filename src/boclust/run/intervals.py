"""Time-uniform confidence intervals of the arms of a run."""

from boclust.kernels import kernel
from boclust.run.state import Run


@kernel
def interval(run: Run, arm: int, delta: float, constant: bool) -> tuple[float, float]:
    """How far the interval of an arm reaches below and above its position.

    With probability 1 - delta all intervals hold the true positions at all times: see
    ``Law.interval`` of the family. ``constant``: the means l with ``N d(mean, l) <= log(1/delta)``,
    to sweep for curves against the observed error rate.
    """
    n_arms, dim = run.positions.shape
    below, above = run.law.interval(
        run.sums[arm, 0], run.counts[arm], run.positions[arm, 0], n_arms, dim, delta, constant
    )
    return below, above
