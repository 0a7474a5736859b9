"""The paper's own search for Z(t) and for the proportions: ADMM, finite differences, SLSQP."""

from typing import Any

import numpy as np

from boclust._validate import FloatArray
from boclust.psi.admm import PartialSearch

#: The quadratic programs that a partial search keeps (c of Remark 4; the paper gives no number).
KEPT = 10
#: Iterations of SLSQP: psi has kinks, on which it does not settle by itself.
ITERATIONS = 10


class Search:
    """Psi at given estimates by ADMM, over all quadratic programs or over the best ones only."""

    def __init__(self, means: FloatArray, n_clusters: int, full: bool) -> None:
        self.means = means
        self.time = 2 if full else 3  # all programs at powers of two
        self._search = PartialSearch(n_clusters, KEPT)
        for moment in (1, self.time):  # what a partial search keeps; both kinds of it compiled
            self.value(np.full(len(means), 1.0 / len(means)), moment)

    def value(self, weights: FloatArray, time: int | None = None) -> float:
        """Psi at these weights, an upper bound."""
        return self._search.value(self.time if time is None else time, self.means, weights)

    def proportions(self) -> Any:
        """The weights that maximise psi, by SLSQP with finite differences from equal weights."""
        from scipy.optimize import minimize

        m = len(self.means)
        return minimize(
            lambda w: -self.value(np.maximum(w, 1e-9)), np.full(m, 1.0 / m), method="SLSQP",
            bounds=[(1e-9, 1.0)] * m, constraints={"type": "eq", "fun": lambda w: w.sum() - 1.0},
            options={"maxiter": ITERATIONS},
        ).x  # fmt: skip
