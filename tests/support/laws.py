"""The formulas of laws as kernels that tests can call."""

from boclust.kernels import kernel


@kernel
def divergence(law, mean, other):
    return law.divergence(mean, other)


@kernel
def natural(law, mean):
    return law.natural(mean)


@kernel
def mean_of_natural(law, theta):
    return law.mean_of_natural(theta)


@kernel
def position(law, mean):
    return law.position(mean)


@kernel
def mean_at(law, position):
    return law.mean_at(position)


@kernel
def estimate(law, total, count):
    return law.estimate(total, count)


@kernel
def variance(law, mean):
    return law.variance(mean)


@kernel
def spread(law, mean):
    return law.spread(mean)


@kernel
def rest(law, mean, push):
    return law.rest(mean, push)


@kernel
def penalty(law, total, count):
    return law.penalty(total, count)
