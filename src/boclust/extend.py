"""What the author of a rule needs: see the guide "Your own rule".

A sampling rule is a subclass of ``Sampling``, a stopping rule one of ``Stopping``, each with a
state (a ``Struct``) and its kernels; ``register`` makes either known by its name, everywhere that
names are accepted.
"""

from typing import TypeVar

from boclust._validate import invalid
from boclust.kernels import Struct, b1, f1, f2, f3, f4, i1, i2, kernel, scratch
from boclust.run.clusters import group
from boclust.run.state import Problem, Run, observe_nothing
from boclust.sampling import SAMPLING
from boclust.sampling.base import Sampling
from boclust.stopping import STOPPING
from boclust.stopping.base import Stopping

__all__ = [
    "Problem",
    "Run",
    "Sampling",
    "Stopping",
    "Struct",
    "b1",
    "f1",
    "f2",
    "f3",
    "f4",
    "group",
    "i1",
    "i2",
    "kernel",
    "observe_nothing",
    "register",
    "scratch",
]

R = TypeVar("R", bound=type[Sampling] | type[Stopping])


def register(rule: R) -> R:
    """Make a rule known by its ``name``; a decorator of its class.

    >>> from boclust.stopping.glr import Constant
    >>> @register
    ... class Same(Constant):
    ...     name = "same"
    >>> import boclust
    >>> boclust.Algorithm("rr", "same")
    Algorithm('rr', 'same')
    """
    accepted = "a subclass of Sampling or Stopping with a name of its own"
    if not isinstance(rule, type) or not issubclass(rule, (Sampling, Stopping)):
        raise invalid("rule", accepted, repr(rule))
    known: dict[str, type[Sampling]] | dict[str, type[Stopping]]
    known = SAMPLING if issubclass(rule, Sampling) else STOPPING
    name = vars(rule).get("name")
    if not isinstance(name, str) or not name:
        raise invalid("rule", accepted, f"{rule.__name__}, which has no name")
    taken = known.get(name)
    if taken is not None and taken.__qualname__ != rule.__qualname__:  # else it is defined anew
        raise invalid("rule", accepted, f"{name!r}, the name of {taken.__name__}")
    known[name] = rule  # type: ignore[assignment]
    return rule
