"""LUCBBOC-sampling with the tree edge chosen by its upper bound."""

from dataclasses import dataclass
from typing import ClassVar

from boclust.sampling.codes import LUCB_UPPER
from boclust.sampling.lucb import Lucb


@dataclass(frozen=True)
class LucbUpper(Lucb):
    """LUCBBOC-sampling with the tree edge chosen by its upper bound, which starves no arm."""

    name: ClassVar[str] = "lucb-ucb"
    code: ClassVar[int] = LUCB_UPPER
