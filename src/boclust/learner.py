"""One adaptive run as ask and tell."""

from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from boclust._validate import (
    FloatArray,
    IntArray,
    clusters,
    fail,
    finite_array,
    integer,
    real,
)
from boclust.families import Family, Gaussian, check_family
from boclust.families.gaussian import check_quadratic
from boclust.registry import Algorithm
from boclust.registry import algorithm as named

_WHY = ("forced exploration", "the weakest quadruple", "its turn", "a suspicious pair")


@dataclass(frozen=True)
class Explanation:
    """Where a run stands and why it asks for what it asks for.

    ``evidence`` is the weakest link of the certificate and ``threshold`` what it must reach;
    ``remaining`` estimates the samples still needed at the current proportions; ``quadruple`` is
    the (a, b, m, n) that is hardest to defend: bond (a, b) of a cluster, rival pair (m, n).
    """

    arm: int | None
    reason: str
    evidence: float
    threshold: float
    remaining: float
    quadruple: tuple[int, int, int, int] | None
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
        What is assumed of the samples: Gaussian, SubGaussian or Bounded.
    seed:
        Kept with the state for rules that draw random numbers; the present ones do not.

    Samples may be told in any order, late, or without having been asked for; the guarantee does
    not depend on it. Asks that have not been answered count as samples when the next arm is chosen.

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
        seed: int | None = None,
    ) -> None:
        m = integer("n_arms", n_arms, 2)
        self.n_clusters = clusters(n_clusters, m)
        self.delta = real("delta", delta, 0.0, 1.0)
        self.dim = integer("dim", dim, 1)
        self.algorithm = named(algorithm)
        self.family = check_quadratic(Gaussian() if family is None else check_family(family))
        self.seed = None if seed is None else integer("seed", seed, 0)
        self._sampling, self._stopping = self.algorithm.rules(self.dim)
        self._need = self._stopping.need(m, self.n_clusters, self.delta)
        self._counts = np.zeros(m)
        self._sums = np.zeros((m, self.dim))
        self._pending = np.zeros(m)
        self._certified: IntArray | None = None
        self._work_space()
        self._refresh()

    # --- asking and telling -------------------------------------------------------------------

    @overload
    def ask(self) -> int: ...

    @overload
    def ask(self, n: int) -> list[int]: ...

    def ask(self, n: int | None = None) -> int | list[int]:
        """The next arm to sample, or the next ``n`` of them."""
        if self.done:
            raise RuntimeError("the run has stopped: its clusters are certified, nothing to ask")
        if n is None:
            arm, _ = self._choose()
            self._pending[arm] += 1
            return arm
        return [self.ask() for _ in range(integer("n", n, 1))]

    def tell(self, arm: int, value: Any) -> None:
        """Take in one sample of ``arm``; refused whole if it is not a possible sample."""
        a = integer("arm", arm, 0, self.n_arms - 1)
        sample = self.family.check_samples(
            finite_array("value", value, f"{self.dim} finite numbers"), "value"
        ).reshape(-1)
        if sample.shape != (self.dim,):
            raise fail("value", f"has {sample.size} numbers", f"{self.dim} finite numbers")
        self._take(a, sample / self.family.sigma)
        self._pending[a] = max(self._pending[a] - 1, 0)
        self._refresh()

    # --- what is known ------------------------------------------------------------------------

    @property
    def n_arms(self) -> int:
        """M."""
        return len(self._counts)

    @property
    def done(self) -> bool:
        """Whether the certificate has held: once it has, the answer stays."""
        return self._certified is not None

    @property
    def n_samples(self) -> int:
        """How many samples have been told."""
        return int(self._counts.sum())

    @property
    def pulls(self) -> IntArray:
        """Samples of each arm."""
        return self._counts.astype(np.int64)

    @property
    def pending(self) -> IntArray:
        """Asks of each arm that have not been answered."""
        return self._pending.astype(np.int64)

    @property
    def estimates(self) -> FloatArray:
        """The estimated means, M x d; NaN where an arm has no sample yet."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self._sums / self._counts[:, None] * self.family.sigma)

    @property
    def labels(self) -> IntArray | None:
        """The certified clusters, or the present guess; None before every arm has a sample."""
        if self._certified is not None:
            return self._certified.copy()
        return self._labels.copy() if self._counts.min() > 0 else None

    @property
    def progress(self) -> float:
        """The weakest link of the certificate as a share of what it must reach, in [0, 1]."""
        if self.done:
            return 1.0
        if self._counts.min() == 0:
            return 0.0
        return float(np.clip(self._weakest(-np.inf) / self._need, 0.0, 1.0))

    @property
    def guarantee(self) -> str:
        """The statement that holds now, or why none does."""
        if self.done:
            if self.n_clusters in (1, self.n_arms):
                return "certain: there is only one possible clustering"
            return self._stopping.guarantee(self.family, self.delta)
        return "none: the certificate does not hold yet"

    def explain(self) -> Explanation:
        """Why this arm next, how far the certificate is, and what is still needed."""
        if self.done:
            text = f"Stopped after {self.n_samples} samples: {self.guarantee}."
            return Explanation(None, "stopped", self._need, self._need, 0.0, None, text)
        arm, why = self._choose()
        if self._counts.min() == 0:
            text = f"Sample arm {arm}: every arm needs one sample first."
            return Explanation(arm, _WHY[why], -np.inf, self._need, np.inf, None, text)
        evidence = max(self._weakest(-np.inf), 0.0)
        remaining = self._remaining(evidence)
        text = (
            f"Sample arm {arm} ({_WHY[why]}). Evidence {evidence:.1f} of {self._need:.1f}; about "
            f"{remaining:.0f} more samples at the present proportions."
        )
        if self._sampling.name == "rr":
            return Explanation(arm, _WHY[why], evidence, self._need, remaining, None, text)
        a, b, m, n = (int(x) for x in self._quad)
        text += f" In doubt: arms {a} and {b} of one cluster against arms {m} and {n} of two."
        return Explanation(arm, _WHY[why], evidence, self._need, remaining, (a, b, m, n), text)

    # --- saving and restoring -----------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything that determines the rest of the run, as plain data."""
        return {
            "counts": self._counts.tolist(),
            "sums": self._sums.tolist(),
            "pending": self._pending.tolist(),
            "certified": None if self._certified is None else self._certified.tolist(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state of a learner with the same parameters, exactly as it would have."""
        counts = finite_array("counts", state["counts"], f"{self.n_arms} whole numbers")
        sums = finite_array("sums", state["sums"], "the sums of a saved state")
        if counts.shape != self._counts.shape or sums.shape != self._sums.shape:
            raise fail("state", "belongs to another number of arms or dimension", "its own state")
        self._counts, self._sums = counts, sums
        self._pending = finite_array("pending", state["pending"], "the asks of a saved state")
        certified = state["certified"]
        self._certified = None if certified is None else np.array(certified, dtype=np.int64)
        self._work_space()
        self._refresh()

    # --- the kernels --------------------------------------------------------------------------

    def _work_space(self) -> None:
        """Everything that is derived from the samples."""
        from boclust.sampling.challenger_kernels import SCORE_PRECISION

        m = self.n_arms
        with np.errstate(invalid="ignore", divide="ignore"):
            self._means = np.nan_to_num(self._sums / self._counts[:, None])
            self._inverse = (1 + SCORE_PRECISION / self._counts) / self._counts
        self._logs = np.log1p(self._counts / SCORE_PRECISION)
        self._gaps = np.sqrt(((self._means[:, None] - self._means[None]) ** 2).sum(axis=2))
        self._labels = np.zeros(m, dtype=np.int64)
        self._arms = np.zeros(m, dtype=np.int64)
        self._start = np.zeros(self.n_clusters + 1, dtype=np.int64)
        self._work, self._parent = np.zeros(m), np.zeros(m, dtype=np.int64)
        self._tree, self._side = np.zeros(m, dtype=np.int64), np.zeros(m, dtype=np.bool_)
        self._quad, self._suspect = np.zeros(4, dtype=np.int64), np.zeros(3, dtype=np.int64)

    def _take(self, arm: int, sample: FloatArray) -> None:
        from boclust import engine_kernels as engine

        engine.observe(
            arm,
            np.ascontiguousarray(sample),
            self._counts,
            self._sums,
            self._means,
            self._gaps,
            self._inverse,
            self._logs,
        )

    def _refresh(self) -> None:
        """Clusters, weakest quadruple and certificate from the present samples."""
        if self.n_clusters in (1, self.n_arms):
            count = self.n_arms if self.n_clusters > 1 else 1
            self._certified = np.arange(self.n_arms, dtype=np.int64) % count
            return
        if self._counts.min() == 0:
            return
        from boclust import engine_kernels as engine

        engine.group(self._gaps, self._arms, self._start, self._labels, self._work, self._parent)
        engine.suspects(
            self._sampling.code,
            self.delta,
            self.dim,
            self._counts,
            self._gaps,
            self._inverse,
            self._logs,
            self._arms,
            self._start,
            self._work,
            self._parent,
            self._tree,
            self._quad,
        )
        if self._sampling.name != "rr":
            self._suspect[:] = self._quad[[0, 2, 3]]
        if self._certified is None and self._weakest(self._need) >= self._need:
            self._certified = self._labels.copy()

    def _weakest(self, enough: float) -> float:
        """The weakest link less its lift; exact only where it is not below ``enough``."""
        from boclust.stopping.certificate_kernels import lift, weakest_link

        rule = self._stopping
        raised = lift(rule.lift, rule.precision, self.dim, self._counts)
        return float(
            -raised
            + weakest_link(
                rule.code,
                rule.precision,
                self._counts,
                self._means,
                self._gaps,
                self._arms,
                self._start,
                self._labels,
                enough + raised,
                self._work,
                self._suspect,
            )
        )

    def _choose(self) -> tuple[int, int]:
        from boclust import engine_kernels as engine

        pulls = self._counts + self._pending
        arm, why = engine.choose(
            self._sampling.code,
            int(pulls.sum()),
            pulls,
            self._counts,
            self._gaps,
            self._arms,
            self._start,
            self._labels,
            self._tree,
            self._side,
            self._quad.copy(),
        )
        return int(arm), int(why)

    def _remaining(self, evidence: float) -> float:
        """What is missing at the present rate: (threshold - evidence) / psi(N / t)."""
        from boclust.alternatives import infimum

        shares = self._counts / self.n_samples
        rate = infimum(self._means, shares, self.n_clusters, method="tree").value
        missing = max(self._need - evidence, 0.0)
        return missing / rate if rate > 0 else np.inf
