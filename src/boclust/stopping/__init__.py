"""When to stop: one file a rule."""

from boclust.stopping.certificate import Certificate, Stopping
from boclust.stopping.constant import Constant
from boclust.stopping.heuristic import Heuristic
from boclust.stopping.local import Local
from boclust.stopping.local_directional import LocalDirectional
from boclust.stopping.local_semi import LocalSemi
from boclust.stopping.mixture import Mixture
from boclust.stopping.paper import Paper

__all__ = [
    "STOPPING",
    "Certificate",
    "Constant",
    "Heuristic",
    "Local",
    "LocalDirectional",
    "LocalSemi",
    "Mixture",
    "Paper",
    "Stopping",
]

#: The stopping rules by name.
STOPPING: dict[str, type[Stopping]] = {
    rule.name: rule
    for rule in (Paper, Mixture, Local, LocalSemi, LocalDirectional, Heuristic, Constant)
}
