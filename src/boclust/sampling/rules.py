"""The sampling rules by name, and why they choose as they do."""

from dataclasses import dataclass
from typing import ClassVar

#: How the kernels tell the rules apart.
CHALLENGER = 0
ROUND_ROBIN = 1
LUCB = 2
LUCB_UPPER = 3


@dataclass(frozen=True)
class Sampling:
    """A sampling rule: a name, and the code by which the kernels know it."""

    name: ClassVar[str]
    code: ClassVar[int]
    #: Whether another delta leads to other samples.
    uses_delta: ClassVar[bool] = False


@dataclass(frozen=True)
class Challenger(Sampling):
    """Sample where the certificate is weakest (see ``challenger_kernels``).

    The weakest (cluster, cut, rival pair) is found by the score; across that cut the bond that may
    be the shortest is taken, and of its arms and the rival pair the least sampled one, an arm in
    both counting half. Forced exploration keeps every arm at sqrt(t / M) samples at least.
    """

    name: ClassVar[str] = "challenger"
    code: ClassVar[int] = CHALLENGER


@dataclass(frozen=True)
class RoundRobin(Sampling):
    """The least sampled arm, ties by number: all arms in turn."""

    name: ClassVar[str] = "rr"
    code: ClassVar[int] = ROUND_ROBIN


@dataclass(frozen=True)
class Lucb(Sampling):
    """LUCBBOC-sampling as printed (Algorithm 3): see ``lucb_kernels``.

    It picks, inside each cluster, the *empirically* longest tree edge. An arm of a cluster of three
    or more whose edge once looked short can then be starved for a very long time.
    """

    name: ClassVar[str] = "lucb"
    code: ClassVar[int] = LUCB
    uses_delta: ClassVar[bool] = True


@dataclass(frozen=True)
class LucbUpper(Sampling):
    """LUCBBOC-sampling with the tree edge chosen by its upper bound, which starves no arm."""

    name: ClassVar[str] = "lucb-ucb"
    code: ClassVar[int] = LUCB_UPPER
    uses_delta: ClassVar[bool] = True


#: The sampling rules by name.
SAMPLING: dict[str, type[Sampling]] = {
    rule.name: rule for rule in (Challenger, RoundRobin, Lucb, LucbUpper)
}
