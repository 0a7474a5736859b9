"""When to stop: one file a rule."""

from boclust.stopping.base import Stopping
from boclust.stopping.certificate import Certificate
from boclust.stopping.constant import Constant
from boclust.stopping.heuristic import Heuristic
from boclust.stopping.local import Local
from boclust.stopping.local_bounded import LocalBounded
from boclust.stopping.local_directional import LocalDirectional
from boclust.stopping.local_semi import LocalSemi
from boclust.stopping.mixture import Mixture
from boclust.stopping.own import BocStatistic, Decided, FixedSize
from boclust.stopping.paper import Paper
from boclust.stopping.paper_1pexp import Paper1pExp

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
