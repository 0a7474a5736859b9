"""Which arm next: one file a rule."""

from boclust.sampling.average import Average
from boclust.sampling.base import Sampling
from boclust.sampling.boc import Boc, BocSlink
from boclust.sampling.challenger import Challenger
from boclust.sampling.direct import Direct
from boclust.sampling.elimination import Elimination
from boclust.sampling.fixed import Fixed
from boclust.sampling.lucb import Lucb
from boclust.sampling.lucb_upper import LucbUpper
from boclust.sampling.maxgap import MaxGapElim, MaxGapTop2Ucb, MaxGapUcb
from boclust.sampling.round_robin import RoundRobin
from boclust.sampling.weighted import Weighted

__all__ = ["SAMPLING", "Sampling"]

_RULES: tuple[type[Sampling], ...] = (
    Challenger,
    Average,
    Direct,
    Weighted,
    Lucb,
    LucbUpper,
    Elimination,
    RoundRobin,
    Fixed,
    Boc,
    BocSlink,
    MaxGapElim,
    MaxGapUcb,
    MaxGapTop2Ucb,
)
#: The sampling rules by name.
SAMPLING: dict[str, type[Sampling]] = {rule.name: rule for rule in _RULES}
