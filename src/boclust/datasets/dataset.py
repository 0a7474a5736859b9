"""Recorded samples of real arms, and what may be assumed of them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from boclust import Family, Gaussian, Instance
from boclust._validate import FloatArray, IntArray, clusters, integer, invalid, shown
from boclust.datasets.scale import Scale, rescaled, unit_of
from boclust.problem.families import check_family
from boclust.sources import Replay
from boclust.sources.replay import check_records


@dataclass(frozen=True, eq=False)
class Dataset:
    """Arms with their records (n x d each), and a number of clusters.

    ``family`` is what holds for the records without looking at them, and ``reason`` says why.
    ``assumptions`` says which guarantees apply.

    >>> import boclust
    >>> stars = Dataset(
    ...     name="Stars", arms=("north", "south", "west"), n_clusters=2,
    ...     records=([4.0, 5.0, 3.0], [2.0, 1.0], [4.0, 3.0]), bounds=(1.0, 5.0),
    ...     family=boclust.Bounded(1, 5), reason="a rating is one to five stars",
    ... )
    >>> stars.labels.tolist(), stars.means.ravel().tolist()
    ([0, 1, 0], [4.0, 1.5, 3.5])
    >>> print(stars)  # doctest: +ELLIPSIS
    Stars: 3 arms, 2 to 3 records each of 1 number, 2 clusters
      arm    cluster  records     mean  deviation
      north        0        3    4.000      0.816
      south        1        2    1.500      0.500
      west         0        2    3.500      0.500
    Distances of means: 0.5 inside clusters (d_intra), 2 between clusters (d_inter)
    Spread: largest variance in a direction 0.667, mean variance 0.389, values in [1, 5]
    - Bounded(low=1, high=5) holds: a rating is one to five stars.
    - A Gaussian guarantee with a known sigma does not apply: ...
    """

    name: str
    arms: tuple[str, ...]
    records: Sequence[FloatArray]
    n_clusters: int
    family: Family
    reason: str
    bounds: tuple[float, float] | None = None
    source: str = ""
    caveats: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        arms = tuple(str(arm) for arm in self.arms)
        if len(arms) != len(self.records) or len(set(arms)) < len(arms):
            expected = f"{len(self.records)} different names, one per array of records"
            raise invalid("arms", expected, shown(self.arms))
        _, records = check_records(dict(zip(arms, self.records, strict=True)))
        for array in records:
            array.setflags(write=False)
        check_family(self.family)
        object.__setattr__(self, "arms", arms)
        object.__setattr__(self, "records", tuple(records))
        object.__setattr__(self, "n_clusters", clusters(self.n_clusters, len(arms)))

    @property
    def dim(self) -> int:
        """The number of values in a record, d."""
        return int(self.records[0].shape[1])

    @property
    def counts(self) -> IntArray:
        """The number of records of each arm."""
        return np.array([len(array) for array in self.records], dtype=np.int64)

    @cached_property
    def means(self) -> FloatArray:
        """The means of the records, M x d."""
        return np.stack([array.mean(axis=0) for array in self.records])

    @cached_property
    def labels(self) -> IntArray:
        """The clusters of the means by single linkage."""
        return Instance(self.means, self.n_clusters).labels

    @cached_property
    def deviations(self) -> FloatArray:
        """The standard deviation of each arm's records in each coordinate, M x d."""
        return np.stack([array.std(axis=0) for array in self.records])

    @cached_property
    def scale(self) -> Scale:
        """The spread of the records around the means of their arms."""
        matrices = [np.cov(array, rowvar=False, bias=True) for array in self.records]
        top = max(np.linalg.eigvalsh(np.atleast_2d(matrix))[-1] for matrix in matrices)
        return Scale(float(top), float((self.deviations**2).mean()), self.bounds)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Sentences that say which guarantees apply to these records, and which do not."""
        low, high = self.deviations.min(), self.deviations.max()
        no_gaussian = (
            "A Gaussian guarantee with a known sigma does not apply: the variance is neither known "
            f"nor common (standard deviations of {low:.3g} to {high:.3g})."
        )
        return (
            f"{_rounded(self.family)} holds: {self.reason}.",
            *(() if isinstance(self.family, Gaussian) else (no_gaussian,)),
            "Samples replayed with replacement are independent, and a guarantee is about the means "
            "of the records; it is about the arms only if their records are independent samples.",
            *self.caveats,
        )

    def instance(self, family: Family | None = None) -> Instance:
        """Return the instance of the means, with ``family`` or else the family of the records."""
        return self.replay().instance(self.n_clusters, self.family if family is None else family)

    def replay(self, replacement: bool = True, shuffle: bool = True, seed: int = 0) -> Replay:
        """Return a source of these records (see ``boclust.sources.Replay``)."""
        named = dict(zip(self.arms, self.records, strict=True))
        return Replay(named, replace=replacement, shuffle=shuffle, seed=seed)

    def standardised(self, by: str | float = "pooled") -> "Dataset":
        """Divide the records by one number for all arms and coordinates.

        ``by`` is "pooled" (the root of the mean variance), "largest" (the root of the largest
        variance of an arm in any direction) or a number. The unit changes; the clusters and what
        is known of the records do not, as ``assumptions`` then says.
        """
        unit, note = unit_of(self.scale, by)
        bounds = None if self.bounds is None else (self.bounds[0] / unit, self.bounds[1] / unit)
        return replace(
            self,
            records=[array / unit for array in self.records],
            family=rescaled(self.family, unit),
            bounds=bounds,
            caveats=(*self.caveats, note),
        )

    def averaged(self, size: int) -> "Dataset":
        """Replace each ``size`` successive records by their mean; a remainder is left out.

        A sample of the result costs ``size`` records.
        """
        every = integer("size", size, 1, int(self.counts.min()))
        kept = [array[: len(array) // every * every] for array in self.records]
        note = f"A record is the mean of {every} successive records of the publisher."
        return replace(
            self,
            records=[array.reshape(-1, every, self.dim).mean(axis=1) for array in kept],
            caveats=(*self.caveats, note),
        )

    def __str__(self) -> str:
        from boclust.datasets.summary import summary

        return summary(self)

    def __repr__(self) -> str:
        shape = f"{len(self.arms)} arms, d={self.dim}, n_clusters={self.n_clusters}"
        return f"<Dataset {self.name!r}: {shape}>"


def _rounded(family: Family) -> str:
    return re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.4g}", str(family))
