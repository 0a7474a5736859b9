"""Exponentially weighted tracking (WATBOC)."""

from dataclasses import dataclass
from typing import ClassVar

from boclust.sampling.codes import WEIGHTED
from boclust.sampling.tracking import Tracking


@dataclass(frozen=True)
class Weighted(Tracking):
    """Counts follow ``sum_s 2^(s-t) w(s)``, made to sum to t: each older w(s) counts half."""

    name: ClassVar[str] = "weighted"
    code: ClassVar[int] = WEIGHTED
