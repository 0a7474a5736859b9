"""What the author of a rule needs: see the guide "Your own rule".

A sampling rule is a subclass of ``Sampling`` with two kernels, a stopping rule one of ``Stopping``
with a threshold; ``register`` makes either known by its name, everywhere that names are taken.
"""

from typing import TypeVar

from boclust.kernels import kernel
from boclust._validate import fail
from boclust.problem.trees import group
from boclust.run.state import Rules, Run
from boclust.sampling import SAMPLING, Sampling
from boclust.stopping import STOPPING, Stopping

__all__ = ["Rules", "Run", "Sampling", "Stopping", "group", "register", "step_kernel"]

R = TypeVar("R", bound=type[Sampling] | type[Stopping])


def register(rule: R) -> R:
    """Make a rule known by its ``name``; a decorator of its class.

    >>> from boclust.stopping.constant import Constant
    >>> @register
    ... class Same(Constant):
    ...     name = "same"
    >>> import boclust
    >>> boclust.Algorithm("rr", "same")
    Algorithm('rr', 'same')
    """
    accepted = "a subclass of Sampling or Stopping with a name of its own"
    if not isinstance(rule, type) or not issubclass(rule, (Sampling, Stopping)):
        raise fail("rule", f"is {rule!r}", accepted)
    known: dict[str, type[Sampling]] | dict[str, type[Stopping]]
    known = SAMPLING if issubclass(rule, Sampling) else STOPPING
    name = vars(rule).get("name")
    if not isinstance(name, str) or not name:
        raise fail("rule", f"{rule.__name__} has no name", accepted)
    taken = known.get(name)
    if taken is not None and taken.__qualname__ != rule.__qualname__:  # else it is defined anew
        raise fail("rule", f"{name!r} is the name of {taken.__name__}", accepted)
    known[name] = rule  # type: ignore[assignment]
    return rule
