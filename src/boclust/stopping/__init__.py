"""When to stop: one file a rule."""

from boclust.stopping.certificate import Certificate
from boclust.stopping.local import Local
from boclust.stopping.local_directional import LocalDirectional
from boclust.stopping.local_semi import LocalSemi

__all__ = ["STOPPING", "Certificate", "Local", "LocalDirectional", "LocalSemi"]

#: The stopping rules by name.
STOPPING: dict[str, type[Certificate]] = {
    rule.name: rule for rule in (Local, LocalSemi, LocalDirectional)
}
