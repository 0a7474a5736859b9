"""When to stop."""

from boclust.stopping.base import Stopping
from boclust.stopping.certificate import (
    Certificate,
    Local,
    LocalBounded,
    LocalDirectional,
    LocalSemi,
)

__all__ = ["STOPPING", "Certificate", "Stopping"]

_RULES: tuple[type[Stopping], ...] = (
    Local,
    LocalSemi,
    LocalDirectional,
    LocalBounded,
)
#: The stopping rules by name.
STOPPING: dict[str, type[Stopping]] = {rule.name: rule for rule in _RULES}
