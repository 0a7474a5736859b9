"""The paper's BOC-ELIM (Algorithm 3) in NumPy: the comparisons of a round as M x M arrays."""

from typing import Any

import numpy as np


def widest_right_gaps(low: Any, high: Any, part: Any) -> Any:
    """U Delta^r of Section VI among the arms of an arm's own part: all of them, or a cluster."""
    same = part[:, None] == part
    barrier = np.where(same & (low > low[:, None]), high, np.inf).min(1)
    farthest = np.where(same & ~np.eye(len(low), dtype=bool), high, -np.inf).max(1)[:, None]
    possible = same & (low[:, None] <= low) & (low <= high[:, None]) & (low < farthest)
    return np.where(possible, np.minimum(barrier, farthest) - low, 0.0).max(1)


def narrowest_right_gaps(low: Any, high: Any) -> Any:
    """L Delta^r of Section VI: positive where an interval overlaps no other."""
    right = low > high[:, None]
    overlaps = ~right & (high >= low[:, None]) & ~np.eye(len(low), dtype=bool)
    nearest = np.where(right, low, np.inf).min(1)
    return np.where(~overlaps.any(1) & right.any(1), nearest - high, 0.0)


class BocElim:
    """BOC-ELIM for arms on a line (Algorithm 3), in the library's reading of the paper.

    U^k bounds the gaps of every choice of means within the intervals (the printed order of the
    estimates does so for intervals of equal width only), and the run ends when the clusters of the
    estimates are certain, which is no later than line 8 of the algorithm.
    """

    def __init__(self, n_arms: int, n_clusters: int, dim: int, delta: float) -> None:
        if dim != 1:
            raise ValueError(f"dim must be 1 for BOC-ELIM, got {dim}")
        self.n_clusters, self.delta = n_clusters, delta
        self.counts, self.sums = np.zeros(n_arms), np.zeros(n_arms)
        self.owed: Any = np.ones(n_arms, dtype=bool)
        self.ruled_out = np.zeros((2, n_arms), dtype=bool)  # F: left, right
        self.identified = np.zeros((2, n_arms), dtype=bool)  # S
        self.labels = np.zeros(n_arms, dtype=int)

    def ask(self) -> int:
        """The next arm of the round."""
        return int(self.owed.argmax())

    def candidates(self) -> list[int]:
        """The arms that are still to be sampled in this round."""
        return [int(arm) for arm in np.flatnonzero(self.owed)]

    def tell(self, arm: int, value: Any) -> bool:
        """Take one sample; whether the run is over."""
        self.counts[arm] += 1
        self.sums[arm] += float(np.squeeze(value))
        self.owed[arm] = False
        return not self.owed.any() and self.end_of_round()

    def end_of_round(self) -> bool:
        """Lines 6 to 8."""
        n_arms, k = len(self.counts), self.n_clusters
        means = self.sums / self.counts
        radius = np.sqrt(2 / self.counts * np.log(4 * n_arms * self.counts**2 / self.delta))
        low, high = means - radius, means + radius
        order = np.argsort(means, kind="stable")
        above = np.minimum.accumulate(low[order][::-1])[::-1]
        floors = above[1:] - np.maximum.accumulate(high[order])[:-1]
        ceilings = np.sort(high)[1:] - np.sort(low)[:-1]
        floor, ceiling = np.sort(floors)[1 - k], np.sort(ceilings)[-k]
        everywhere = np.zeros(n_arms, dtype=int)
        for side, (a, b) in enumerate(((-high, -low), (low, high))):
            active = ~(self.ruled_out[side] | self.identified[side])
            out = active & (widest_right_gaps(a, b, everywhere) < floor)
            self.ruled_out[side] |= out
            self.identified[side] |= active & ~out & (narrowest_right_gaps(a, b) > ceiling)
        cuts = np.sort(np.argsort(np.diff(means[order]), kind="stable")[n_arms - k :])
        self.labels[order] = np.searchsorted(cuts, np.arange(n_arms), side="left")
        self.owed = ~(self.ruled_out | self.identified).all(0)
        if not self.owed.any():
            self.owed[:] = True
        least = floors[cuts].min()
        if not least > 0:
            return False
        inner = widest_right_gaps(low, high, self.labels)
        return not np.any((inner > least) & ~self.ruled_out[1])
