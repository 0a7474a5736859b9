"""Direct tracking (DTBOC)."""

from dataclasses import dataclass
from typing import ClassVar

from boclust.sampling.codes import DIRECT
from boclust.sampling.tracking import Tracking


@dataclass(frozen=True)
class Direct(Tracking):
    """Counts follow the present w(t) alone: ``t w(t)``."""

    name: ClassVar[str] = "direct"
    code: ClassVar[int] = DIRECT
