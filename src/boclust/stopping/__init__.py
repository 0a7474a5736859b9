"""When to stop."""

from boclust.stopping.base import Stopping
from boclust.stopping.certificate import (
    Certificate,
    Local,
    LocalBounded,
    LocalDirectional,
    LocalSemi,
)
from boclust.stopping.glr import Constant, Heuristic, Mixture, Paper, Paper1pExp
from boclust.stopping.own import BocStatistic, Decided, FixedSize

__all__ = ["STOPPING", "Certificate", "Stopping"]

_RULES: tuple[type[Stopping], ...] = (
    Paper,
    Paper1pExp,
    Mixture,
    Local,
    LocalSemi,
    LocalDirectional,
    LocalBounded,
    Heuristic,
    Constant,
    FixedSize,
    Decided,
    BocStatistic,
)
#: The stopping rules by name.
STOPPING: dict[str, type[Stopping]] = {rule.name: rule for rule in _RULES}
