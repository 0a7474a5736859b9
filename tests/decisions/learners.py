"""Cases of ``boclust.Learner``: what it asks for and what it knows, however it is answered."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from boclust import Bernoulli, Bounded, Exponential, Instance, Learner, Poisson
from decisions.encoding import integers, real, reals
from decisions.problems import FAMILIES, GAUSSIAN, many
from decisions.simulations import ALGORITHMS, applies, made, pair

#: A learner is looked at after so many samples, and at the end.
CHECKPOINTS = (1, 60, 180)
#: How many samples are drawn at once.
BLOCK = 64


class Samples:
    """Sample i of an arm: a function of the seed, the arm and i only."""

    def __init__(self, problem: Instance, seed: int) -> None:
        self.problem = problem
        self.seed = seed
        self.given = [0] * problem.n_arms
        self._blocks: dict[tuple[int, int], Any] = {}

    def next(self, arm: int) -> Any:
        number = self.given[arm]
        self.given[arm] += 1
        block = (arm, number // BLOCK)
        if block not in self._blocks:
            self._blocks[block] = self._draw(*block)
        return self._blocks[block][number % BLOCK]

    def _draw(self, arm: int, block: int) -> Any:
        rng = np.random.default_rng([self.seed, arm, block])
        family, mean = self.problem.family, self.problem.means[arm]
        shape = (BLOCK, self.problem.dim)
        if isinstance(family, Bernoulli):
            return (rng.random(shape) < mean).astype(float)
        if isinstance(family, Poisson):
            return rng.poisson(mean, shape).astype(float)
        if isinstance(family, Exponential):
            return mean * rng.standard_exponential(shape)
        if isinstance(family, Bounded):
            room = np.minimum(mean - family.low, family.high - mean)
            return mean + room * rng.uniform(-1.0, 1.0, shape)
        return mean + family.sigma * rng.standard_normal(shape)


class Journal:
    """A learner, what it has asked for, and what it looked like at the checkpoints."""

    def __init__(self, problem: Instance, algorithm: Any, delta: float, seed: int) -> None:
        self.problem, self.algorithm, self.delta = problem, made(algorithm), delta
        self.samples = Samples(problem, seed)
        self.rng = np.random.default_rng(seed)
        self.learner = self.fresh()
        self.asked: list[int] = []
        self.n_told = 0
        self.done_after: int | None = 0 if self.learner.done else None
        self.looks: dict[str, Any] = {}
        #: What ``Learner.replay`` needs to repeat the run.
        self.steps: list[int] = []
        self.values: list[Any] = []

    def fresh(self) -> Learner:
        return Learner(
            n_arms=self.problem.n_arms, n_clusters=self.problem.n_clusters, delta=self.delta,
            dim=self.problem.dim, algorithm=self.algorithm, family=self.problem.family,
        )  # fmt: skip

    def ask(self) -> int:
        arm = self.learner.ask()
        self.asked.append(arm)
        self.steps.append(-1)
        return arm

    def ask_several(self, n: int) -> list[int]:
        arms = self.learner.ask(n=n)
        self.asked.extend(arms)
        self.steps.append(-n)
        return arms

    def tell(self, arm: int) -> None:
        value = self.samples.next(arm)
        self.steps.append(arm)
        self.values.append(value)
        self.learner.tell(arm=arm, value=self.value(value))
        self.n_told += 1
        if self.learner.done and self.done_after is None:
            self.done_after = self.n_told
        if self.n_told in CHECKPOINTS:
            self.look(f"after {self.n_told}")

    def value(self, row: Any) -> Any:
        """A sample as a learner is told it."""
        return row if self.problem.dim > 1 else float(row[0])

    def look(self, name: str) -> None:
        learner, explanation = self.learner, self.learner.explain()
        labels = learner.labels
        self.looks[name] = {
            "done": bool(learner.done),
            "pulls": integers(learner.pulls),
            "labels": None if labels is None else integers(labels),
            "progress": real(learner.progress),
            "evidence": real(explanation.evidence),
            "remaining": real(explanation.remaining),
            "estimates": reals(learner.estimates),
            "regions": reals(learner.regions),
            "doubt": learner.doubt != "",
        }

    def result(self) -> dict[str, Any]:
        self.look("at the end")
        return {
            "asked": integers(self.asked),
            "told": self.n_told,
            "done_after": self.done_after,
            "threshold": real(self.learner.threshold),
            **self.looks,
        }


# --- how a learner is answered ---------------------------------------------------------------


def at_once(journal: Journal, steps: int) -> None:
    while not journal.learner.done and journal.n_told < steps:
        journal.tell(journal.ask())


def in_batches(journal: Journal, steps: int, size: int) -> None:
    """All answers of a batch are told, also once the run is done."""
    while not journal.learner.done and journal.n_told < steps:
        for arm in journal.ask_several(size):
            journal.tell(arm)


def out_of_order(journal: Journal, steps: int, open_asks: int) -> None:
    """Any of the open asks is answered next."""
    waiting: list[int] = []
    while not journal.learner.done and journal.n_told < steps:
        while len(waiting) < open_asks:
            waiting.append(journal.ask())
        journal.tell(waiting.pop(int(journal.rng.integers(len(waiting)))))
    for arm in waiting:
        journal.tell(arm)


def batches_out_of_order(journal: Journal, steps: int, size: int) -> None:
    """Two batches are open; half of the answers come before the next batch is asked for."""
    waiting = journal.ask_several(size)
    while not journal.learner.done and journal.n_told < steps:
        waiting += journal.ask_several(size)
        for _ in range(size):
            journal.tell(waiting.pop(int(journal.rng.integers(len(waiting)))))


def with_lost_answers(journal: Journal, steps: int) -> None:
    """Every ninth ask is never answered."""
    while not journal.learner.done and journal.n_told < steps and len(journal.asked) < 2 * steps:
        arm = journal.ask()
        if len(journal.asked) % 9:
            journal.tell(arm)


def unsolicited(journal: Journal, steps: int) -> None:
    """Before the first ask, and then now and then, samples of arms that were not asked for."""
    m = journal.problem.n_arms
    for _ in range(m + 3):
        journal.tell(int(journal.rng.integers(m)))
    while not journal.learner.done and journal.n_told < steps:
        arm = journal.ask()
        if journal.rng.random() < 0.25:
            journal.tell(int(journal.rng.integers(m)))
        journal.tell(arm)


def only_told(journal: Journal, steps: int) -> None:
    """Nothing is asked until the end."""
    while not journal.learner.done and journal.n_told < steps:
        journal.tell(int(journal.rng.integers(journal.problem.n_arms)))
    if not journal.learner.done:
        journal.ask_several(12)


def restored(journal: Journal, steps: int) -> None:
    """Saved every 17 samples, with an open ask, and restored into a fresh learner."""
    while not journal.learner.done and journal.n_told < steps:
        arm = journal.ask()
        if journal.n_told % 17 == 0:
            saved = journal.learner.state()
            journal.learner = journal.fresh()
            journal.learner.restore(saved)
        journal.tell(arm)


def copied(journal: Journal, steps: int) -> None:
    """The copy goes on, and what the first learner is told afterwards does not concern it."""
    while not journal.learner.done and journal.n_told < steps:
        arm = journal.ask()
        if journal.n_told % 17 == 0:
            former, journal.learner = journal.learner, journal.learner.copy()
            former.tell(arm=arm, value=journal.value(journal.problem.means[0]))
            if not former.done:
                former.ask()
        journal.tell(arm)


def replayed(journal: Journal, steps: int, size: int = 1) -> None:
    """The first half, repeated by ``replay`` in a fresh learner that then goes on."""
    if size == 1:
        at_once(journal, steps // 2)
    else:
        in_batches(journal, steps // 2, size)
    marks = np.unique(np.linspace(journal.problem.n_arms * 2, len(journal.steps), 6).astype(int))
    repeated = journal.fresh()
    seen = repeated.replay(
        steps=np.array(journal.steps, dtype=np.int64),
        samples=np.array(journal.values).reshape(-1, journal.problem.dim),
        marks=marks[marks <= len(journal.steps)].astype(np.int64),
    )
    journal.looks["evidence at the marks"] = reals(seen)
    journal.learner = repeated
    journal.look("replayed")
    if size == 1:
        at_once(journal, steps)
    else:
        in_batches(journal, steps, size)


# --- the cases -------------------------------------------------------------------------------

Way = Callable[[Journal, int], None]

WAYS: dict[str, Way] = {
    "at-once": at_once,
    "batches-of-4": partial(in_batches, size=4),
    "three-open": partial(out_of_order, open_asks=3),
    "two-batches-of-5": partial(batches_out_of_order, size=5),
    "lost-answers": with_lost_answers,
    "unsolicited": unsolicited,
    "only-told": only_told,
    "restored": restored,
    "copied": copied,
    "replayed": replayed,
}


def run(
    problem: Instance, algorithm: Any, way: Way, delta: float = 0.1, seed: int = 7, steps: int = 500
) -> dict[str, Any]:
    journal = Journal(problem, algorithm, delta, seed)
    way(journal, steps)
    return journal.result()


def cases() -> Iterator[tuple[str, Any]]:
    problems = GAUSSIAN | FAMILIES
    for algorithm in ALGORITHMS:
        where = "negative" if algorithm.startswith("maxgap") else "shuffled"
        for name, way in WAYS.items():
            some = partial(run, problems[where], algorithm, way)
            yield f"learner/{where}/{algorithm}/{name}", some
    for where in ("A", "B", "cube", "bounded", "bounded-plane"):
        for algorithm in ("span", "rr"):
            for name in ("at-once", "two-batches-of-5", "restored", "replayed"):
                some = partial(run, problems[where], algorithm, WAYS[name])
                yield f"learner/{where}/{algorithm}/{name}", some
    for where in ("B", "ten-dimensions"):
        for algorithm in ("atboc", "lucbboc", "boc", "boc-slink"):
            some = partial(run, problems[where], algorithm, WAYS["three-open"])
            yield f"learner/{where}/{algorithm}/three-open", some
    for where, problem in FAMILIES.items():
        for algorithm in ("span", "atboc", "lucbboc-ucb", "boc-elim"):
            if applies(algorithm, problem):
                some = partial(run, problem, algorithm, WAYS["unsolicited"], steps=400)
                yield f"learner/{where}/{algorithm}/unsolicited", some
    for where in ("tie", "near-tie", "huge", "tiny", "far-away", "coincident", "very-far-apart"):
        for algorithm in ("span", "boc-elim"):
            some = partial(run, problems[where], algorithm, WAYS["at-once"], steps=300)
            yield f"learner/{where}/{algorithm}/at-once", some
    for where in ("one-cluster", "as-many-clusters-as-arms"):
        yield f"learner/{where}/span/only-told", partial(run, problems[where], "span", only_told)
    yield from _pairs()
    yield from _many_arms()


def _pairs() -> Iterator[tuple[str, Any]]:
    chosen = [
        ("A", "challenger", "local", {"precision": 2.0}),
        ("A", "rr", "local-semi", {}),
        ("A", "lucb", "mixture", {"radius_delta": 0.3}),
        ("A", "average", "heuristic", {}),
        ("A", "fss", None, {"per_arm": 20}),
        ("A", "elimination", None, {"constant": True}),
        ("B", "direct", "local-semi", {}),
        ("B", "challenger", "constant", {}),
        ("bernoulli-mean", "rr", "local", {}),
        ("poisson-natural", "weighted", "mixture", {}),
        ("exponential-mean", "challenger", "mixture", {}),
        ("bounded-plane", "lucb-ucb", "local-bounded", {}),
    ]
    for where, sampling, stopping, options in chosen:
        algorithm = pair(sampling, stopping, **options)
        problem = (GAUSSIAN | FAMILIES)[where]
        for name in ("three-open", "restored"):
            yield (
                f"learner/{where}/{sampling}+{stopping}/{name}",
                partial(run, problem, algorithm, WAYS[name], delta=0.01, seed=8),
            )


def _many_arms() -> Iterator[tuple[str, Any]]:
    ways = {
        "at-once": at_once,
        "batches-of-30": partial(in_batches, size=30),
        "two-batches-of-20": partial(batches_out_of_order, size=20),
        "restored": restored,
        "replayed-batches-of-10": partial(replayed, size=10),
        "unsolicited": unsolicited,
    }
    for size, sigma in (((60, 1), 0.15), ((60, 2), 0.15), ((120, 5), 0.2)):
        for algorithm in ("span", "rr"):
            for name, way in ways.items():
                yield (
                    f"learner/M={size[0]},d={size[1]}/{algorithm}/{name}",
                    partial(run, many(*size, sigma), algorithm, way, steps=700),
                )
