"""Which arm next: one file per algorithm."""

from boclust.sampling.atboc import Average, Direct, Weighted
from boclust.sampling.base import Sampling
from boclust.sampling.boc import Boc, BocSlink
from boclust.sampling.boc_elim import BocElim
from boclust.sampling.challenger import Challenger
from boclust.sampling.lucbboc import Lucbboc, LucbbocUpper
from boclust.sampling.maxgap import MaxGapElim, MaxGapTop2Ucb, MaxGapUcb
from boclust.sampling.round_robin import Fixed, RoundRobin

__all__ = ["SAMPLING", "Sampling"]

_RULES: tuple[type[Sampling], ...] = (
    Challenger,
    Average,
    Direct,
    Weighted,
    Lucbboc,
    LucbbocUpper,
    BocElim,
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
