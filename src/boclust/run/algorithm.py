"""Named pairs of a sampling and a stopping rule."""

from dataclasses import fields
from typing import Any

from boclust._validate import choice, invalid
from boclust.problem.families import Bounded, Family, OneParameter
from boclust.run.state import Problem
from boclust.sampling import SAMPLING, Sampling
from boclust.stopping import STOPPING, Stopping

#: The named algorithms: sampling rule, and stopping rule (None: the best proven one).
_NAMED: dict[str, tuple[str, str | None]] = {
    "span": ("challenger", None),
    "atboc": ("average", "paper"),
    "dtboc": ("direct", "paper"),
    "watboc": ("weighted", "paper"),
    "atboc-1pexp": ("average", "paper-1pexp"),
    "lucbboc": ("lucb", "paper"),
    "lucbboc-ucb": ("lucb-ucb", "paper"),
    "boc-elim": ("elimination", None),
    "rr": ("rr", "paper"),
    "fss": ("fss", None),
    "boc": ("boc", None),
    "boc-slink": ("boc-slink", None),
    "maxgap-elim": ("maxgap-elim", None),
    "maxgap-ucb": ("maxgap-ucb", None),
    "maxgap-top2ucb": ("maxgap-top2ucb", None),
}


def algorithms() -> list[str]:
    """The names of the algorithms.

    >>> "span" in algorithms(), "atboc" in algorithms()
    (True, True)
    """
    return list(_NAMED)


class Algorithm:
    """Any sampling rule with any stopping rule that makes sense with it.

    ``stopping=None`` takes the rule that the sampling rule comes with (BOC-ELIM, BOC, MaxGap, FSS),
    else the best proven one: ``local-directional`` for d = 1 (``local`` from 51 arms on, which
    needs about a tenth more samples but no matrix of distances), ``local-semi`` for d > 1,
    ``local-bounded`` for bounded samples, ``local`` for one-parameter families. Options are those
    of the two rules: ``precision`` of ``local`` and ``mixture``, ``zeta`` of ``paper-1pexp``,
    ``per_arm`` of ``fss``, ``radius_delta`` of ``lucb`` and ``lucb-ucb``, ``constant`` of rules
    with a stopping rule of their own (log(1/delta) as it is, for curves against the observed error
    rate). For one-parameter families ``paper`` means ``paper-1pexp``.

    >>> Algorithm(sampling="challenger", stopping="local", precision=4.0)
    Algorithm('challenger', 'local', precision=4.0)
    """

    def __init__(
        self, /, sampling: str = "challenger", stopping: str | None = None, **options: Any
    ) -> None:
        own = SAMPLING[choice("sampling", sampling, SAMPLING)].own_stopping
        if stopping is not None:
            choice("stopping", stopping, STOPPING)
        if own is not None and stopping not in (None, own):
            raise invalid("stopping", f"{own!r} for sampling {sampling!r}", repr(stopping))
        belongs = [name for name, rule in SAMPLING.items() if rule.own_stopping == stopping]
        if stopping is not None and belongs and sampling not in belongs:
            known = " or ".join(map(repr, belongs))
            raise invalid("sampling", f"{known} for stopping {stopping!r}", repr(sampling))
        self.sampling = sampling
        self.stopping = stopping or own
        self.options = options
        if options:
            self._make(self.stopping or "local")

    @property
    def name(self) -> str | None:
        """Its name in ``boclust.algorithms()``; None for another pair, or one with options.

        >>> Algorithm("challenger").name, Algorithm("challenger", "local").name
        ('span', None)
        """
        return next((name for name in _NAMED if algorithm(name) == self), None)

    def rules(self, problem: Problem, many: bool = False) -> tuple[Sampling, Stopping]:
        """Both rules for this problem; a pair that makes no sense for it is refused.

        ``many``: there are so many arms that a matrix of distances is too much.
        """
        dim, family = problem.dim, problem.family
        name = self.stopping or _best(dim, family, many)
        if name == "paper" and isinstance(family, OneParameter):
            name = "paper-1pexp"
        sampling, stopping = self._make(name)
        got = f"d = {dim}, K = {problem.n_clusters} and {family}"
        if needs := sampling.refusal(problem):
            raise invalid(f"sampling {self.sampling!r}", f"used with {needs}", got)
        if needs := stopping.refusal(problem):
            raise invalid(f"stopping {name!r}", f"used with {needs}", got)
        return sampling, stopping

    def _make(self, stopping: str) -> tuple[Sampling, Stopping]:
        """Both rules with their options."""
        classes = SAMPLING[self.sampling], STOPPING[stopping]
        known = [[field.name for field in fields(cls)] for cls in classes]
        for option in self.options:
            if option not in known[0] + known[1]:
                pair = f"{self.sampling!r} with {stopping!r}"
                accepted = ", ".join(known[0] + known[1]) or "left out"
                raise invalid(f"the options of {pair}", accepted, option)
        first, second = (
            {name: value for name, value in self.options.items() if name in names}
            for names in known
        )
        return classes[0](**first), classes[1](**second)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Algorithm) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        parts = [repr(self.sampling), repr(self.stopping)]
        parts += [f"{name}={value!r}" for name, value in self.options.items()]
        return f"Algorithm({', '.join(parts)})"


def _best(dim: int, family: Family, many: bool) -> str:
    """The proven rule that needs the fewest samples; among many arms one that is quick."""
    if isinstance(family, OneParameter):
        return "local"
    if isinstance(family, Bounded):
        return "local-bounded"
    if dim > 1:
        return "local-semi"
    return "local" if many else "local-directional"


def algorithm(value: Any) -> Algorithm:
    """An algorithm by its name, or as it is."""
    if isinstance(value, Algorithm):
        return value
    sampling, stopping = _NAMED[choice("algorithm", value, _NAMED)]
    return Algorithm(sampling, stopping)
