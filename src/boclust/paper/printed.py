"""The slopes that the paper prints: Table II, and Section VIII-A for the plane."""

from dataclasses import dataclass

import numpy as np

#: What the paper gives as the slope of the lower bound on the seven arms.
LOWER = 84.0


@dataclass(frozen=True)
class Printed:
    """A slope: measured by the paper, and its theoretical upper bound where one is given."""

    figure: str
    series: str
    measured: float
    upper: float = np.nan


SLOPES = (
    Printed("sd1_asymptotic", "LUCBBOC", 186, 190),
    Printed("sd1_asymptotic", "ATBOC-Gauss", 150, 164),
    Printed("sd1_tracking", "DTBOC", 155, 164),
    Printed("sd1_tracking", "WATBOC", 155, 164),
    Printed("sd1_asymptotic", "ATBOC-1pExp zeta=0.45", 114.2, 121.8),
    Printed("sd1_asymptotic", "ATBOC-1pExp zeta=0.1", 83.7, 92.4),
    Printed("gauss_2d_asymptotic", "ATBOC-Gauss", 40, 40),
    Printed("gauss_2d_asymptotic", "LUCBBOC", 48, 48),
    Printed("gauss_2d_asymptotic", "RR", 75, 73),
    Printed("bernoulli_2d_asymptotic", "ATBOC-subGauss", 64, 66),
    Printed("bernoulli_2d_asymptotic", "LUCBBOC", 79, 80),
)


def slopes_of(figure: str) -> list[Printed]:
    """Those of one figure."""
    return [printed for printed in SLOPES if printed.figure == figure]
