"""Samples around the means of an instance."""

from typing import Any

import numpy as np

from boclust._validate import KeyArray, fail, shown
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
        Samples are a function of it, the arm and their number.
    noise:
        None: what the family says. Gaussian and SubGaussian: normal with standard deviation sigma;
        Bounded: samples at the two ends only, the widest noise there is; the others as named.
        Or "gaussian", "bernoulli", "poisson", "exponential" or ``Beta(sd=...)``, where the family
        admits such samples and the distribution such means. Coordinates are independent.

    >>> import boclust
    >>> source = Simulated(boclust.Instance([0.2, 0.3, 0.9], 2, boclust.Bernoulli()), seed=1)
    >>> [source(2) for _ in range(5)]
    [1.0, 1.0, 1.0, 1.0, 1.0]
    >>> source.given.tolist()
    [0, 0, 5]
    """

    def __init__(self, instance: Instance, seed: int = 0, noise: Any = None) -> None:
        if not isinstance(instance, Instance):
            raise fail("instance", f"is {shown(instance)}", "a boclust.Instance")
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
