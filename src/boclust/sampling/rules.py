"""The sampling rules by name, and why they choose as they do."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Sampling:
    """A sampling rule: a name, and the code by which the kernels know it."""

    name: ClassVar[str]
    code: ClassVar[int]


@dataclass(frozen=True)
class Challenger(Sampling):
    """Sample where the certificate is weakest (see ``challenger_kernels``).

    The weakest (cluster, cut, rival pair) is found by the score; across that cut the bond that may
    be the shortest is taken, and of its arms and the rival pair the least sampled one, an arm in
    both counting half. Forced exploration keeps every arm at sqrt(t / M) samples at least.
    """

    name: ClassVar[str] = "challenger"
    code: ClassVar[int] = 0


@dataclass(frozen=True)
class RoundRobin(Sampling):
    """The least sampled arm, ties by number: all arms in turn."""

    name: ClassVar[str] = "rr"
    code: ClassVar[int] = 1


#: The sampling rules by name.
SAMPLING: dict[str, type[Sampling]] = {rule.name: rule for rule in (Challenger, RoundRobin)}
