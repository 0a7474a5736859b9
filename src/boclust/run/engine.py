"""An algorithm made ready for a problem: its rules as numbers and as pointers to kernels."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np

from boclust._jit import direct, pointer
from boclust.problem.families import Family
from boclust.run.algorithm import Algorithm
from boclust.run.state import Calls, Desk, Parts, Rules, Run, new_desk, new_run
from boclust.stopping.codes import BY_POINTER, GLOBAL

#: With more arms than this, rules that can do without a matrix of distances do without.
FEW = 50
#: In more dimensions nobody watches how much samples scatter: d x d numbers a sample.
MOST_WATCHED = 50


class Engine:
    """The kernels of one algorithm on one problem; it can be sent to another process."""

    def __init__(
        self, algorithm: Algorithm, n_arms: int, dim: int, n_clusters: int, family: Family
    ) -> None:
        self.shape = (n_arms, dim, n_clusters)
        self.family = family
        many = n_arms > FEW
        self.sampling, self.stopping = algorithm.rules(dim, n_clusters, family, many)
        self.is_crowd = many and self.sampling.for_crowds and self.stopping.for_crowds(dim, family)

    def rules(self, delta: float) -> Rules:
        """The rules in numbers."""
        family = self.family
        evidence = self.stopping.evidence_code(family)
        if evidence == BY_POINTER and self.kernels[3] is None:
            evidence = GLOBAL
        return Rules(
            self.sampling.code, evidence, self.stopping.lift(family),
            family.code, family.space == "mean", float(self.stopping.parameter),
            float(self.sampling.interval_delta(delta)), getattr(self.stopping, "constant", False),
        )  # fmt: skip

    def new_run(self, watched: bool = False) -> Run:
        """A run without samples; if it is watched, one that sees how much they scatter."""
        n_arms, dim, _ = self.shape
        scatter = watched and self.family.is_doubtable and dim <= MOST_WATCHED
        parts: dict[str, Any] = {"kin": not self.family.is_quadratic, "scatter": scatter}
        parts |= self.sampling.parts(n_arms) | self.stopping.parts(dim)
        if self.is_crowd:
            parts["pace"] = self.sampling.pace(n_arms)
        return new_run(*self.shape, Parts(**parts))

    @contextmanager
    def borrowed_desk(self) -> Iterator[Desk]:
        """Where trials are run, which serves again: a new one costs more than a short trial."""
        try:
            desk = self._idle.pop()
        except IndexError:
            desk = new_desk(self.new_run())
        yield desk
        self._idle.append(desk)

    @cached_property
    def _idle(self) -> list[Desk]:
        """Desks that nobody uses now."""
        return []

    def threshold(self, delta: float) -> float:
        """What the stopping rule must reach."""
        return self.stopping.threshold(*self.shape, delta)

    @property
    def kernels(self) -> tuple[Any, Any, Any, Any]:
        """(look, pick, standing, evidence) of ``engine_kernels``."""
        look, pick = self.sampling.kernels(self.shape[1])
        standing, evidence = self.stopping.kernels(self.shape[1], self.family)
        if self.is_crowd:
            from boclust.many_arms.certificate import standing_of_crowd

            look, pick = self.sampling.crowd_kernels()
            standing = standing_of_crowd
        return look, pick, standing, evidence

    @cached_property
    def calls(self) -> Calls:
        """The same as pointers, with what takes a sample."""
        from boclust.run.step import observe, observe_gaussian

        rules, run = self.rules(0.5), self.new_run()
        plain = self.family.is_quadratic and not run.bets.spreads.size
        take = observe_gaussian if plain else observe
        look, pick, standing, evidence = self.kernels
        claim = pointer(evidence, 0.0, rules, run, 0, 0, 0, 0)
        return Calls(
            pointer(take, None, rules, run, 0),
            pointer(look, None, rules, run),
            pointer(pick, 0, rules, run),
            pointer(standing, 0.0, rules, run, claim, 0.0),
            claim,
        )

    @cached_property
    def steps(self) -> tuple[Any, Any]:
        """The kernels ``replay`` and ``choose`` for Python that calls them at every sample."""
        from boclust.run.step import choose, replay

        known = self.rules(0.5), self.new_run(), self.calls
        whole, real = np.zeros(1, dtype=np.int64), np.zeros(1)
        told = whole, real.reshape(1, 1)
        return direct(replay, *known, *told, 0.0, 0, whole, whole, real), direct(choose, *known)

    def __getstate__(self) -> dict[str, Any]:
        made_here = ("calls", "steps", "_idle")
        return {name: value for name, value in vars(self).items() if name not in made_here}
