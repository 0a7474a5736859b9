"""Average tracking (ATBOC)."""

from dataclasses import dataclass
from typing import ClassVar

from boclust.sampling.codes import AVERAGE
from boclust.sampling.tracking import Tracking


@dataclass(frozen=True)
class Average(Tracking):
    """Counts follow the average of all w(s) so far: ``sum_s w(s)`` (line 7 of Algorithm 1)."""

    name: ClassVar[str] = "average"
    code: ClassVar[int] = AVERAGE
