"""One adaptive run as ask and tell."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from boclust._validate import (
    LARGEST,
    MOST_ARMS,
    MOST_DIMENSIONS,
    FloatArray,
    IntArray,
    clusters,
    integer,
    invalid,
    real,
    shown,
    whole_numbers,
)
from boclust.problem.families import Family, Gaussian, check_family
from boclust.run.algorithm import Algorithm
from boclust.run.algorithm import algorithm as named
from boclust.run.engine import FEW, Engine
from boclust.run.state import Problem

if TYPE_CHECKING:
    from boclust.problem.instance import Instance
    from boclust.problem.linkage import Linkage
    from boclust.psi import Infimum


_NO_MARKS: IntArray = np.empty(0, dtype=np.int64)


@dataclass(frozen=True)
class Explanation:
    """Where a run stands and why it asks for what it asks for.

    ``evidence`` is what the stopping rule has shown and ``threshold`` what it must reach;
    ``remaining`` estimates the samples still needed at the current proportions; ``nearest`` is the
    nearest alternative: how the means would have to be for other clusters to be right, at the least
    cost. Infinite or None where the rule has no such number, where not every arm has a sample, and
    among many arms (``nearest``).
    """

    arm: int | None
    reason: str
    evidence: float
    threshold: float
    remaining: float
    nearest: "Infimum | None"
    text: str

    def __str__(self) -> str:
        return self.text


class Learner:
    """Decide which arm to sample next, and stop as soon as the guarantee holds.

    Parameters
    ----------
    n_arms, n_clusters, delta, dim:
        M, K, the error probability, and the dimension of a sample.
    algorithm:
        A name from ``boclust.algorithms()`` or a ``boclust.Algorithm``.
    family:
        What is assumed of the samples; ``boclust.Gaussian(sigma=1.0)`` by default.

    Samples may be told in any order, late, or without having been asked for: when, and whether, a
    value is told may depend on anything told before, but not on the value itself. Asks that have
    not been answered count as samples when the next arm is selected.

    >>> learner = Learner(n_arms=3, n_clusters=2, delta=0.1)
    >>> rng = np.random.default_rng(0)
    >>> while not learner.done:
    ...     arm = learner.ask()
    ...     learner.tell(arm, rng.normal([0.0, 0.5, 4.0][arm]))
    >>> learner.labels.tolist()
    [0, 0, 1]
    """

    def __init__(
        self,
        n_arms: int,
        n_clusters: int,
        delta: float,
        dim: int = 1,
        algorithm: str | Algorithm = "span",
        family: Family | None = None,
    ) -> None:
        m = integer("n_arms", n_arms, 2, MOST_ARMS)
        self.n_clusters = clusters(n_clusters, m)
        self.delta = real("delta", delta, 0.0, 1.0)
        self.dim = integer("dim", dim, 1, MOST_DIMENSIONS)
        self.algorithm = named(algorithm)
        self.family = Gaussian() if family is None else check_family(family)
        if self.family.scalar_only and self.dim > 1:
            raise invalid("dim", f"1 for the one-parameter {self.family}", self.dim)
        problem = Problem(m, self.dim, self.n_clusters, self.family, self.delta)
        self._engine = Engine(self.algorithm, problem)
        self._threshold = self._engine.threshold()
        self._live = self._engine.new(watched=True)
        self._pending = np.zeros(m)
        self._certified: IntArray | None = None
        if self.n_clusters in (1, m):  # there is only one clustering
            self._certified = np.arange(m, dtype=np.int64) % self.n_clusters

    # --- asking and telling -------------------------------------------------------------------

    @overload
    def ask(self) -> int: ...

    @overload
    def ask(self, n: int) -> list[int]: ...

    def ask(self, n: int | None = None) -> int | list[int]:
        """The next arm to sample, or the next ``n`` of them."""
        if self.done:
            raise RuntimeError("the run has stopped: its clusters are certified, nothing to ask")
        count = 1 if n is None else integer("n", n, 1, MOST_ARMS)
        if self._engine.plans:
            self._step(np.array([-count], dtype=np.int64), np.empty((0, self.dim)))
        arms = [self._ask() for _ in range(count)]
        return arms[0] if n is None else arms

    def _ask(self) -> int:
        arm, _ = self._select()
        self._pending[arm] += 1
        return arm

    def tell(self, arm: int, value: Any) -> None:
        """Take in one sample of ``arm``; refused whole if it is not a possible sample."""
        a = integer("arm", arm, 0, self.n_arms - 1)
        self._step(
            np.array([a], dtype=np.int64), self._scaled(self.check_sample(value))[np.newaxis]
        )
        if self._pending[a] > 0:
            self._pending[a] -= 1

    def check_sample(self, value: Any) -> FloatArray:
        """``value`` as the ``dim`` numbers of one possible sample."""
        sample = self.check_samples(value).reshape(-1)
        if sample.shape != (self.dim,):
            accepted = f"{self.dim} finite number{'s' * (self.dim > 1)}, as dim says"
            raise invalid("value", accepted, f"{sample.size} numbers")
        return sample

    def check_samples(self, value: Any) -> FloatArray:
        """``value`` as numbers that are coordinates of possible samples, in an array as it was."""
        samples = self.family.check_samples(value, "value")
        most = LARGEST * self.family.unit
        if np.abs(samples - self.family.origin).max(initial=0.0) > most:
            raise invalid("value", f"numbers up to {most:g} in size", shown(samples.tolist()))
        return samples

    def replay(
        self, steps: IntArray, samples: FloatArray, marks: IntArray = _NO_MARKS
    ) -> FloatArray:
        """Repeat what was told and asked, at the speed of the kernels and with the same outcome.

        A step is the arm of the next row of ``samples`` (n x d), or minus the n of an ``ask(n)``.
        What is pending stays as it is. Returns the evidence against the claim that looked weakest
        after the numbers of steps in ``marks``, which increase.

        >>> one, other = (Learner(n_arms=2, n_clusters=1, delta=0.1) for _ in range(2))
        >>> one.tell(0, 2.0)
        >>> _ = other.replay(np.array([0]), np.array([[2.0]]))
        >>> one.state() == other.state()
        True
        """
        arms, values = whole_numbers("steps", steps), self.check_samples(samples)
        if arms.max(initial=0) >= self.n_arms:
            raise invalid("steps", f"arms up to {self.n_arms - 1}", f"arm {arms.max()}")
        if arms.min(initial=0) < -MOST_ARMS:
            raise invalid("steps", f"asks for up to {MOST_ARMS} arms", f"{-arms.min()} arms")
        told = (int((arms >= 0).sum()), self.dim)
        if values.shape != told:
            raise invalid(
                "samples", f"of shape {told}, one row per arm told", f"shape {values.shape}"
            )
        return self._step(arms, self._scaled(values), self._check_marks(marks, len(arms)))

    def _check_marks(self, marks: Any, n_steps: int) -> IntArray:
        found = whole_numbers("marks", marks)
        if (np.diff(found) < 0).any() or (len(found) and not 0 <= found[0] <= found[-1] <= n_steps):
            accepted = f"increasing integers from 0 to {n_steps}, the number of steps"
            raise invalid("marks", accepted, shown(found.tolist()))
        return found

    # --- what is known ------------------------------------------------------------------------

    @property
    def n_arms(self) -> int:
        """M."""
        return self._engine.problem.n_arms

    @property
    def done(self) -> bool:
        """Whether the certificate has held; from then on the answer stays."""
        return self._certified is not None

    @property
    def n_samples(self) -> int:
        """How many samples have been told."""
        return int(self._live.run.counts.sum())

    @property
    def pulls(self) -> IntArray:
        """Samples of each arm."""
        return self._live.run.counts.astype(np.int64)

    @property
    def pending(self) -> IntArray:
        """Asks of each arm that have not been answered; may be set where some were given up."""
        return self._pending.astype(np.int64)

    @pending.setter
    def pending(self, counts: IntArray) -> None:
        found = whole_numbers("pending", counts)
        if found.shape != self._pending.shape or (found < 0).any() or (found >= 2**53).any():
            accepted = f"{self.n_arms} integers from 0 to 2^53 - 1, one per arm"
            raise invalid("pending", accepted, shown(found.tolist()))
        self._pending[:] = found

    @property
    def room(self) -> int | None:
        """How many more asks the present round has; None for rules without rounds."""
        live = self._live
        return self._engine.sampling.room(live.run, live.sampler, self.pending)

    @property
    def estimates(self) -> FloatArray:
        """The estimated means, M x d; NaN where an arm has no sample yet."""
        with np.errstate(invalid="ignore"):
            means = self._live.run.sums / self._live.run.counts[:, None]
        return np.asarray(means * self.family.unit + self.family.origin)

    @property
    def regions(self) -> FloatArray:
        """Where the true means are: intervals (M x 2) or, for d > 1, radii around the estimates.

        With probability 1 - delta all of them hold at all times: see ``boclust.problem.regions``
        for the proof. NaN if an arm has no sample yet.

        >>> learner = Learner(n_arms=2, n_clusters=1, delta=0.1)
        >>> learner.tell(0, 5.0)
        >>> learner.regions.round(2).tolist()
        [[1.34, 8.66], [nan, nan]]
        """
        from boclust.problem.regions import regions

        found = np.full((self.n_arms, 2) if self.dim == 1 else self.n_arms, np.nan)
        known, counts = self._live.run.counts > 0, self._live.run.counts
        found[known] = regions(
            self.family, self.estimates[known], counts[known], self.n_arms, self.delta
        )
        return found

    @property
    def linkage(self) -> "Linkage | None":
        """The single-linkage tree of the present estimates; None before every arm has a sample."""
        from boclust.problem.linkage import single_linkage

        if self._live.run.counts.min() == 0:
            return None
        tree = single_linkage(self._live.run.positions, self.n_clusters)
        return replace(tree, lengths=tree.lengths * self.family.unit)

    @property
    def instance(self) -> "Instance | None":
        """The present estimates as if they were true; None before every arm has a sample."""
        from boclust.problem.instance import Instance

        if self._live.run.counts.min() == 0:
            return None
        means = self._live.run.means * self.family.unit + self.family.origin
        return Instance(means, self.n_clusters, self.family)

    @property
    def labels(self) -> IntArray | None:
        """The certified clusters, or the present guess; None before every arm has a sample."""
        if self._certified is not None:
            return self._certified.copy()
        return self._live.run.labels.copy() if self._live.run.counts.min() > 0 else None

    @property
    def progress(self) -> float:
        """What the stopping rule has shown as a share of what it must reach, in [0, 1]."""
        if self.done:
            return 1.0
        if self._live.run.counts.min() == 0:
            return 0.0
        return float(np.clip(self._statistic() / self._threshold, 0.0, 1.0))

    @property
    def threshold(self) -> float:
        """What the stopping rule must show; minus infinity where there is nothing to show."""
        return self._threshold

    @property
    def stopping(self) -> str:
        """The name of its stopping rule; ``Algorithm`` may leave the choice to the problem."""
        return self._engine.rule_of_threshold.name

    @property
    def doubt(self) -> str:
        """Why the samples cannot be what the family assumes; empty where nothing speaks for that.

        Samples that scatter more than they should by more than chance explains: see
        ``Family.misfit``.

        >>> learner = Learner(n_arms=2, n_clusters=1, delta=0.1, family=Gaussian(sigma=1.0))
        >>> for value in (-9.0, 9.0, -8.0, 8.0):
        ...     learner.tell(0, value)
        >>> learner.doubt
        'samples scatter with standard deviation 9.83, but sigma = 1 is assumed'
        """
        run, unit = self._live.run, self.family.unit
        if run.scatter.size == 0 or run.counts.max() < 2:
            return ""
        known = run.counts > 0
        means = self.estimates[known]
        return self.family.misfit(run.scatter * unit**2, means, run.counts[known])

    @property
    def guarantee(self) -> str:
        """The statement that holds now, or why none does."""
        if self.n_clusters in (1, self.n_arms):
            return "certain: there is only one possible clustering"
        doubt = self.doubt
        if not self.done:
            return "none: the certificate does not hold yet" + (f"; {doubt}" if doubt else "")
        said = self._engine.guarantee()
        return f"doubtful, because {doubt}: {said}" if doubt else said

    def explain(self, names: Sequence[str] | None = None) -> Explanation:
        """Why this arm next, how far the certificate is, and what is still needed.

        The text calls the arms by their ``names``, or by their numbers.

        >>> learner = Learner(n_arms=3, n_clusters=2, delta=0.1)
        >>> print(learner.explain(["north", "south", "west"]))
        Sample arm north: every arm needs one sample first.
        """
        called = [str(arm) for arm in range(self.n_arms)] if names is None else names
        if self.done:
            text = f"Stopped after {self.n_samples} samples: {self.guarantee}."
            return Explanation(None, "stopped", self._threshold, self._threshold, 0.0, None, text)
        arm, reason = self._select()
        if self._live.run.counts.min() == 0:
            text = f"Sample arm {called[arm]}: every arm needs one sample first."
            return Explanation(arm, reason, -np.inf, self._threshold, np.inf, None, text)
        evidence = self._statistic()
        nearest = None if self.n_arms > FEW else self._nearest()
        remaining = np.inf
        text = f"Sample arm {called[arm]} ({reason})."
        if np.isfinite(evidence):
            rate = (evidence if nearest is None else nearest.lower) / self.n_samples
            remaining = (self._threshold - evidence) / rate if rate > 0 else np.inf
            text += (
                f" Evidence {max(evidence, 0.0):.1f} of {self._threshold:.1f}; "
                f"about {remaining:.0f} more samples at the present pace."
            )
        if nearest is not None and nearest.cut is not None and nearest.rival is not None:
            one, two = (", ".join(called[a] for a in part) for part in nearest.cut)
            m, n = nearest.rival
            text += (
                f" Hardest to rule out are clusters that split {{{one}}} from {{{two}}} and join "
                f"arms {called[m]} and {called[n]}."
            )
        return Explanation(arm, reason, evidence, self._threshold, remaining, nearest, text)

    def _nearest(self) -> "Infimum":
        """The nearest alternative to the present estimates, at the present counts."""
        from boclust.psi import infimum

        run, family = self._live.run, self.family
        means = run.means * family.unit + family.origin
        return infimum(means, run.counts, self.n_clusters, family)

    # --- saving and restoring -----------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything that determines the rest of the run, as plain data."""
        certified = None if self._certified is None else self._certified.tolist()
        kept = {name: array.tolist() for name, array in self.arrays().items()}
        return {**kept, "certified": certified}

    def arrays(self) -> dict[str, FloatArray | IntArray]:
        """The same as arrays, not copied; ``certified`` only once it is known."""
        kept = {
            f"{owner}.{name}": array
            for owner, struct in self._live.structs.items()
            for name, array in struct.arrays().items()
        }
        certified = {} if self._certified is None else {"certified": self._certified}
        return {**kept, "pending": self._pending, **certified}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a state of a learner with the same parameters, exactly as it would have.

        The state is checked completely: a damaged one is refused and changes nothing.
        """
        from boclust.run.saved import check_counts, check_labels, saved_array

        if not isinstance(state, Mapping):
            raise invalid("state", "what Learner.state() returned", shown(state))
        pending = saved_array(state, "pending", self._pending)
        check_counts("pending", pending)
        certified = state.get("certified")
        if certified is not None:
            certified = check_labels("certified", certified, self.n_arms, self.n_clusters)
        elif self.n_clusters in (1, self.n_arms):
            raise invalid("state['certified']", "the only possible clustering", certified)
        live = self._engine.restored(state)
        if certified is not None and live.run.counts.min() == 0 and self._threshold > -np.inf:
            accepted = "None before every arm has a sample"
            raise invalid("state['certified']", accepted, shown(certified.tolist()))
        self._live = live
        self._pending = pending
        self._certified = certified

    def copy(self) -> "Learner":
        """Another learner in the same state; what one is told does not concern the other."""
        twin = copy(self)
        twin.restore(self.arrays())
        return twin

    # --- the kernels --------------------------------------------------------------------------

    def _scaled(self, samples: FloatArray) -> FloatArray:
        """Samples in the units of the kernels."""
        return (samples - self.family.origin) / self.family.unit

    def _step(self, steps: IntArray, told: FloatArray, marks: IntArray = _NO_MARKS) -> FloatArray:
        """Repeat samples and asks; returns the evidence at the marks."""
        answer, seen = np.empty(self.n_arms, dtype=np.int64), np.empty(len(marks))
        held = self._engine.replay(self._live, steps, told, self._threshold, answer, marks, seen)
        if held and self._certified is None:
            self._certified = answer
        return seen

    def _statistic(self) -> float:
        """What the stopping rule has shown; among many arms, against what looks weakest."""
        return self._engine.statistic(self._live, -np.inf if self.n_arms <= FEW else np.inf)

    def _select(self) -> tuple[int, str]:
        """The next arm and why."""
        run = self._live.run
        np.add(run.counts, self._pending, out=run.asked)
        arm, forced = self._engine.select(self._live)
        own = self._engine.sampling.reason
        return arm, "it has far fewer samples than others" if forced else own
