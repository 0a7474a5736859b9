"""Simulated samples of an instance."""

from typing import Any

import numpy as np

from boclust._validate import KeyArray, invalid, shown
from boclust.problem.instance import Instance
from boclust.sources.base import Arguments, Source
from boclust.sources.noise import check_noise


class Simulated(Source):
    """Simulated arms with the means of an instance.

    Parameters
    ----------
    instance:
        The means, and the family of the samples.
    seed:
        A sample is a function of the seed, the arm and the number of the sample.
    noise:
        None, "gaussian", "bernoulli", "poisson", "exponential" or ``Beta(sd=...)``. The family must
        admit such samples, and the distribution must admit the means. None is the noise of the
        family: normal with standard deviation sigma for Gaussian and SubGaussian, only the two
        ends (the largest variance possible) for Bounded, and the distribution of the same name
        for the others. Coordinates are independent.

    >>> import boclust
    >>> source = Simulated(boclust.Instance([0.2, 0.3, 0.9], 2, boclust.Bernoulli()), seed=1)
    >>> [source(2) for _ in range(5)]
    [1.0, 1.0, 1.0, 1.0, 1.0]
    >>> source.given.tolist()
    [0, 0, 5]
    """

    def __init__(self, instance: Instance, seed: int = 0, noise: Any = None) -> None:
        if not isinstance(instance, Instance):
            raise invalid("instance", "a boclust.Instance", shown(instance))
        self.instance = instance
        self.noise = noise
        self._noise = check_noise(noise, instance)
        super().__init__([str(arm) for arm in range(instance.n_arms)], instance.dim, seed)

    @property
    def kind(self) -> str:
        """The name of its noise."""
        return self._noise.kind

    def _kernel_arguments(self, keys: KeyArray) -> Arguments:
        _, spread, low, high = self._noise
        ends = np.repeat([[low], [high]], self.dim, axis=1)
        none = np.zeros(0, dtype=np.int64)
        return spread, self.instance.means.copy(), ends, none, none
