"""An algorithm made ready for a problem: its rules, their states and their compiled kernels."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from boclust._validate import FloatArray, IntArray, KeyArray, invalid, shown
from boclust.kernels import Struct, first_class, in_one_block, is_own, uncached
from boclust.run.algorithm import Algorithm
from boclust.run.state import Problem, Run, new_run, record
from boclust.sampling.base import Sampling, no_plan
from boclust.sampling.challenger import Challenger
from boclust.sampling.round_robin import RoundRobin

#: With more arms than this, rules that can do without a matrix of distances do without.
FEW = 50
#: In more dimensions a run does not watch how much samples scatter: d x d numbers per sample.
MOST_WATCHED = 50


class RuleError(ValueError):
    """A rule did what no rule may do; the message names it."""


@dataclass
class Live:
    """One run in progress: what both rules see, and the state of each."""

    run: Run
    sampler: Any
    stopper: Any

    @property
    def structs(self) -> dict[str, Struct]:
        """By name; the arrays of a run are saved under these names."""
        return {"run": self.run, "sampling": self.sampler, "stopping": self.stopper}


@dataclass
class Arena:
    """Where one trial after the other runs: all arrays lie in one block of memory."""

    live: Live
    block: IntArray
    blank: IntArray  # what the block holds before the first sample


class Loop(NamedTuple):
    """Kernels of ``run.step``."""

    replay: Any
    select: Any
    current_statistic: Any
    trials: Any
    recompute: Any


class Engine:
    """One algorithm on one problem; it can be sent to another process."""

    def __init__(self, algorithm: Algorithm, problem: Problem) -> None:
        self.problem = problem
        many = problem.n_arms > FEW
        self.sampling, self.stopping = algorithm.rules(problem, many)
        self.rule_of_threshold = self.stopping
        lean = _LEAN.get(type(self.sampling))
        if many and lean and self.stopping.for_many_arms(problem):
            from boclust.many_arms.certificate import ManyArmsStopping

            self.sampling = lean(self.sampling)
            self.stopping = ManyArmsStopping(self.stopping)
        #: Whether the sampling rule wants to know how many arms are asked for at once.
        self.plans = self.sampling.plan() is not no_plan

    def new(self, watched: bool = False) -> Live:
        """A run without samples; if it is watched, one that sees how much they scatter."""
        problem = self.problem
        watched = watched and problem.family.is_doubtable and problem.dim <= MOST_WATCHED
        run = new_run(
            problem.family.law, problem.n_arms, problem.dim, problem.n_clusters,
            gaps=self.sampling.needs_gaps, watched=watched,
        )  # fmt: skip
        sampler = self.sampling.new(problem)
        return Live(run, sampler, self.stopping.new(problem, sampler))

    def restored(self, saved: Mapping[str, Any]) -> Live:
        """A run from saved arrays, all of them checked; what follows from them is computed."""
        from boclust.run.saved import check_run, fill

        live = self.new(watched=True)
        if self.stopping.observe_is_pure:  # the variances follow from the sums, may be infinite
            saved = {**saved, "run.variance": live.run.variance}
        fill(live.structs, saved)
        check_run(self.problem, live.run)
        self.sampling.check(self.problem, live.run, live.sampler)
        self.stopping.check(self.problem, live.run, live.stopper)
        self._loop.recompute(
            live.run, live.sampler, live.stopper, self.calls, live.run.variance.copy(),
            self.sampling.observe_is_pure, self.stopping.observe_is_pure,
        )  # fmt: skip
        if self.sampling.groups:
            self._check_groups(live.run)
        return live

    def _check_groups(self, run: Run) -> None:
        """Refuse clusters other than those of the positions."""
        from boclust.run.clusters import group_anew

        wanted = self.threshold() > -np.inf and bool(run.counts.min() > 0)
        if wanted != bool(run.start.any()):
            found = "none" if wanted else "some"
            raise invalid("state['run.start']", "clusters once every arm has a sample", found)
        if wanted and self.sampling.needs_gaps:
            labels = run.labels.copy()
            group_anew(run)
            if (labels != run.labels).any():
                accepted = "the clusters of the estimates"
                raise invalid("state['run.labels']", accepted, shown(labels.tolist()))

    def threshold(self, delta: float | None = None) -> float:
        """What the statistic must reach."""
        problem = self.problem if delta is None else replace(self.problem, delta=delta)
        return self.rule_of_threshold.threshold(problem)

    def guarantee(self, delta: float | None = None) -> str:
        """The statement that holds after the rule has stopped a run."""
        problem = self.problem if delta is None else replace(self.problem, delta=delta)
        return self.rule_of_threshold.guarantee(problem)

    @contextmanager
    def borrowed_arena(self) -> Iterator[Arena]:
        """Where trials run; it serves again, because a new one costs more than a short trial."""
        try:
            arena = self._idle.pop()
        except IndexError:
            live = self.new()
            structs, block = in_one_block(list(live.structs.values()))
            arena = Arena(Live(*structs), block, block.copy())
        yield arena
        self._idle.append(arena)

    @cached_property
    def _idle(self) -> list[Arena]:
        """Arenas that are not in use."""
        return []

    @cached_property
    def _example(self) -> Live:
        """A run that shows the types of all states."""
        return self.new()

    @cached_property
    def calls(self) -> Any:
        """The kernels of both rules as the loop calls them."""
        from boclust.run.step import Calls

        run, sampler, stopper = self._example.structs.values()
        observe, update, select = self.sampling.kernels
        account, statistic = self.stopping.kernels
        return Calls(
            explores=self.sampling.explores,
            record=first_class(record, None, run, 0),
            observe=first_class(observe, None, run, sampler, 0),
            update=first_class(update, None, run, sampler),
            select=first_class(select, 0, run, sampler),
            plan=first_class(self.sampling.plan(), None, run, sampler, 0),
            account=first_class(account, None, run, stopper, 0),
            statistic=first_class(statistic, 0.0, run, stopper, 0.0),
        )

    @cached_property
    def _loop(self) -> "Loop":
        """The entry points of the loop; not those on disk if a rule is not of this package."""
        from boclust.run import step

        own = all(map(is_own, (self.calls, *self._example.structs.values())))
        entries = (getattr(step, name) for name in Loop._fields)
        return Loop(*(entry if own else uncached(entry) for entry in entries))

    def replay(self, live: Live, *arguments: Any) -> bool:
        """See ``step.replay``."""
        return bool(self._loop.replay(live.run, live.sampler, live.stopper, self.calls, *arguments))

    def select(self, live: Live) -> tuple[int, bool]:
        """The next arm, given ``run.asked``, and whether exploration is forced."""
        arm, forced = self._loop.select(live.run, live.sampler, self.calls)
        self._check_arm(arm)
        return int(arm), bool(forced)

    def statistic(self, live: Live, threshold: float) -> float:
        """The statistic; an infinite threshold leaves the run as it is."""
        found = float(self._loop.current_statistic(live.run, live.stopper, self.calls, threshold))
        if np.isnan(found):
            raise RuleError(f"the stopping rule {self.stopping.name!r} must return a number")
        return found

    def trials(
        self, arena: Arena, thresholds: FloatArray, source: Any, keys: KeyArray, max_samples: int
    ) -> tuple[IntArray, IntArray, IntArray]:
        """Simulated runs: stopping times, pulls and labels of each run at each threshold."""
        from boclust.run.step import BAD_ARM, EXHAUSTED
        from boclust.sources import SourceExhausted
        from boclust.sources.draw import tap

        n, m, deep = len(keys), self.problem.n_arms, len(thresholds)
        stops = np.zeros((n, deep), dtype=np.int64)
        pulls = np.zeros((n, deep, m), dtype=np.int64)
        answers = np.zeros((n, deep, m), dtype=np.int64)
        live, family = arena.live, self.problem.family
        ended, arm = self._loop.trials(
            live.run, live.sampler, live.stopper, self.calls, arena.block, arena.blank,
            thresholds, tap(source.kind), source.kernel_arguments(keys[0]), keys,
            family.origin, family.unit, max_samples, stops, pulls, answers,
        )  # fmt: skip
        if ended == BAD_ARM:
            self._check_arm(arm)
        if ended == EXHAUSTED:  # in the first trial: others come only if their records are alike
            raise SourceExhausted(f"the records of arm {arm} ran out")
        return stops, pulls, answers

    def _check_arm(self, arm: int) -> None:
        if not 0 <= arm < self.problem.n_arms:
            raise RuleError(
                f"the sampling rule {self.sampling.name!r} must select an arm from 0 to "
                f"{self.problem.n_arms - 1}, got {arm}"
            )

    def __getstate__(self) -> dict[str, Any]:
        made_here = ("calls", "_example", "_loop", "_idle")
        return {name: value for name, value in vars(self).items() if name not in made_here}


def _lean_challenger(rule: Sampling) -> Sampling:
    from boclust.many_arms.challenger import ManyArmsChallenger

    assert isinstance(rule, Challenger)
    return ManyArmsChallenger(batch=rule.batch)


def _lean_round_robin(rule: Sampling) -> Sampling:
    from boclust.many_arms.challenger import ManyArmsRoundRobin

    return ManyArmsRoundRobin()


#: The sampling rules that can do without a matrix of distances.
_LEAN = {Challenger: _lean_challenger, RoundRobin: _lean_round_robin}
