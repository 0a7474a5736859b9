"""Damaged input for learners: states, snapshots, replays, asks and tells.

``python fuzz.py FIRST COUNT [SETTINGS]`` runs cases in this process; each prints its number before
it begins, so that the last number printed names the case that crashed or hung. A case is
determined by its number and that of its setting: ``python fuzz.py NUMBER 1`` repeats it.
"""

import copy
import faulthandler
import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import boclust
from boclust import Algorithm, InvalidInputError, Learner
from boclust.run.algorithm import algorithm as named
from boclust.run.state import Problem
from boclust.study.errors import CorruptError
from boclust.study.snapshot import dump, load
from boclust.study.spec import Spec, arm_list, as_budget
from boclust.study.state import State

#: Seconds that one case may take.
PATIENCE = 200.0  # some cases compile kernels
ARMS = (2, 5, 7, 20, 60)
FAMILIES = [
    (boclust.Gaussian(), 1),
    (boclust.Gaussian(2.0), 2),
    *((cls(space), 1) for cls in (boclust.Bernoulli, boclust.Poisson, boclust.Exponential)
      for space in ("natural", "mean")),
    (boclust.Bounded(1, 5), 1),
    (boclust.Bounded(0, 2), 2),
]  # fmt: skip
STOPPING = ("paper", "paper-1pexp", "mixture", "local", "local-semi", "local-directional",
            "local-bounded", "heuristic", "constant")  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """A problem and an algorithm for it."""

    algorithm: str | Algorithm
    family: Any
    dim: int
    n_arms: int
    n_clusters: int

    def learner(self) -> Learner:
        shape = self.n_arms, self.n_clusters, 0.1, self.dim
        return Learner(*shape, algorithm=self.algorithm, family=self.family)

    def is_possible(self) -> bool:
        problem = Problem(self.n_arms, self.dim, self.n_clusters, self.family, 0.1)
        try:
            named(self.algorithm).rules(problem, self.n_arms > 50)
        except InvalidInputError:
            return False
        return True

    def sample(self, rng: np.random.Generator, arm: int) -> Any:
        """A possible sample; arms are in about three groups."""
        centre = (arm % 3) / 2
        if isinstance(self.family, boclust.Bernoulli):
            return float(rng.random() < 0.1 + 0.8 * centre)
        if isinstance(self.family, boclust.Poisson):
            return float(rng.poisson(1.0 + 4.0 * centre))
        if isinstance(self.family, boclust.Exponential):
            return float(rng.exponential(0.5 + 4.0 * centre))
        if isinstance(self.family, boclust.Bounded):
            low, high = self.family.low, self.family.high
            return (low + (high - low) * rng.beta(1 + 4 * centre, 3, self.dim)).tolist()
        return rng.normal(6.0 * centre, 1.0, self.dim).tolist()


def settings() -> list[Setting]:
    """All named algorithms and all stopping rules on all families, with numbers of arms in turn."""
    pairs: list[str | Algorithm] = [*boclust.algorithms()]
    pairs += [Algorithm("challenger", rule) for rule in STOPPING]
    pairs += [Algorithm("rr", rule) for rule in ("local", "local-semi", "mixture")]
    rng = np.random.default_rng(7)
    found = []
    for pair in pairs:
        for family, dim in FAMILIES:
            for _ in range(2):
                m = int(rng.choice(ARMS, p=[0.05, 0.3, 0.3, 0.15, 0.2]))
                if m > 7 and "boc" in str(pair):
                    m = 7  # the programs of ATBOC take long
                if m == 20 and "NUMBA_DISABLE_JIT" in os.environ:
                    m = 7
                k = 2 if m == 2 or "maxgap" in str(pair) else int(rng.integers(2, m))
                setting = Setting(pair, family, dim, m, k)
                if setting.is_possible():
                    found.append(setting)
    return found


# --- valid runs -----------------------------------------------------------------------------------


def went_on(setting: Setting, learner: Learner, rng: np.random.Generator, steps: int) -> None:
    """Ask and tell, some late, some unasked."""
    asked: list[int] = []
    for _ in range(steps):
        if not learner.done and rng.random() < 0.7:
            asked += learner.ask(int(rng.integers(1, 4)))
        arm = asked.pop(0) if asked and rng.random() < 0.8 else int(rng.integers(setting.n_arms))
        learner.tell(arm, setting.sample(rng, arm))


def saved_states(setting: Setting, rng: np.random.Generator) -> list[dict[str, Any]]:
    """What a run saves at some moments: before any sample, before every arm has one, later."""
    learner = setting.learner()
    states = [learner.state()]
    m = setting.n_arms
    for steps in (m // 2, m, 2 * m, 25 if m > 10 else 60):
        went_on(setting, learner, rng, steps)
        states.append(learner.state())
    return states


# --- damage ---------------------------------------------------------------------------------------

ODD: list[Any] = [
    None, "x", "", {}, [], [[]], [None], True, 3, -1, 0.5, b"ab", 1j, object(), float("nan"),
    [float("nan")], {"a": 1}, [[1, 2], [3]], range(3), 10**400, ["1"], {1, 2},
]  # fmt: skip
NUMBERS: list[Any] = [
    float("nan"), float("inf"), -float("inf"), 1e308, -1e308, 1e60, 1e-308, -1, -2, 0, 1, 2, 0.5,
    2**31, -(2**31), 2**53, 2**53 - 1, 2**62, 2**63, -(2**63), 2**64, 10**30, 10**400, None, "7",
    True, -0.0, 61, 60, 59, 7, 6, 20, 19, 240, 241,
]  # fmt: skip


def is_list(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 0


def some_key(rng: np.random.Generator, state: dict[str, Any]) -> str:
    """A key; those of integers more often."""
    keys = [key for key in state if state[key] != []]
    whole = [k for k in keys if is_list(state[k]) and isinstance(flat(state[k])[0], int)]
    return str(rng.choice(whole if whole and rng.random() < 0.6 else keys))


def flat(value: list[Any]) -> list[Any]:
    while is_list(value) and isinstance(value[0], list):
        value = [inner for row in value for inner in row] or [0]
    return value


def leaf(rng: np.random.Generator, value: list[Any]) -> list[Any]:
    """A random innermost list."""
    while is_list(value) and isinstance(value[0], list):
        value = value[rng.integers(len(value))]
    return value


def damage(rng: np.random.Generator, setting: Setting, states: list[dict[str, Any]],
           other: dict[str, Any]) -> dict[str, Any]:  # fmt: skip
    """A state that is wrong in one to three ways (or, rarely, right)."""
    state = copy.deepcopy(states[rng.integers(len(states))])
    for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
        DAMAGES[rng.integers(len(DAMAGES))](rng, setting, state, states, other)
    return state


def drop(rng, setting, state, states, other):
    state.pop(some_key(rng, state))


def replace_whole(rng, setting, state, states, other):
    state[some_key(rng, state)] = ODD[rng.integers(len(ODD))]


def change_one(rng, setting, state, states, other):
    value = state[some_key(rng, state)]
    if is_list(value) and (row := leaf(rng, value)):
        row[rng.integers(len(row))] = NUMBERS[rng.integers(len(NUMBERS))]


def shift_some(rng, setting, state, states, other):
    value = state[some_key(rng, state)]
    for _ in range(int(rng.integers(1, 4))):
        if is_list(value) and (row := leaf(rng, value)):
            at = rng.integers(len(row))
            if isinstance(row[at], (int, float)):
                row[at] = row[at] + int(rng.choice([-2, -1, 1, 2, 7, -7, 1000]))


def arms_somewhere(rng, setting, state, states, other):
    """Every integer of an array becomes a random arm: cycles in trees, doubled arms."""
    value = state[some_key(rng, state)]
    stack = [value] if is_list(value) else []
    while stack:
        row = stack.pop()
        for at, one in enumerate(row):
            if isinstance(one, list):
                stack.append(one)
            elif isinstance(one, int):
                row[at] = int(rng.integers(setting.n_arms))


def shuffle(rng, setting, state, states, other):
    value = state[some_key(rng, state)]
    if is_list(value):
        rng.shuffle(value)


def double(rng, setting, state, states, other):
    value = state[some_key(rng, state)]
    if is_list(value):
        value[rng.integers(len(value))] = copy.deepcopy(value[rng.integers(len(value))])


def truncate(rng, setting, state, states, other):
    value = state[some_key(rng, state)]
    if is_list(value):
        del value[rng.integers(len(value)) :]


def extend(rng, setting, state, states, other):
    value = state[some_key(rng, state)]
    if is_list(value):
        value.append(copy.deepcopy(value[-1]))


def nest(rng, setting, state, states, other):
    key = some_key(rng, state)
    state[key] = [state[key]]


def swap(rng, setting, state, states, other):
    one, two = some_key(rng, state), some_key(rng, state)
    state[one], state[two] = state[two], state[one]


def scale(rng, setting, state, states, other):
    key = some_key(rng, state)
    factor = float(rng.choice([-1.0, 0.0, 2.0, 1e9, 1e15, 1e100, 1e300, 1e-300]))
    if is_list(state[key]):
        try:
            state[key] = (np.array(state[key], dtype=float) * factor).tolist()
        except (TypeError, ValueError, OverflowError):
            return


def from_another_time(rng, setting, state, states, other):
    later = states[rng.integers(len(states))]
    for _ in range(int(rng.integers(1, 4))):
        key = some_key(rng, later)
        state[key] = copy.deepcopy(later[key])


def from_another_algorithm(rng, setting, state, states, other):
    if rng.random() < 0.5:
        state.clear()
        state.update(copy.deepcopy(other))
    else:
        key = some_key(rng, other)
        state[key] = copy.deepcopy(other[key])


def other_clusters(rng, setting, state, states, other):
    """Clusters that fit each other but not the estimates."""
    m, k = setting.n_arms, setting.n_clusters
    labels = rng.permutation(np.concatenate([np.arange(k), rng.integers(0, k, m - k)]))
    state["run.labels"] = labels.tolist()
    state["run.arms"] = np.argsort(labels, kind="stable").tolist()
    state["run.start"] = [0, *np.cumsum(np.bincount(labels, minlength=k)).tolist()]


def other_names(rng, setting, state, states, other):
    """The same clusters by other numbers."""
    k = setting.n_clusters
    try:
        labels = rng.permutation(k)[np.array(state["run.labels"])]
    except (KeyError, IndexError, TypeError, ValueError):
        return
    if labels.ndim != 1:
        return
    state["run.labels"] = labels.tolist()
    state["run.arms"] = np.argsort(labels, kind="stable").tolist()
    state["run.start"] = [0, *np.cumsum(np.bincount(labels, minlength=k)).tolist()]


def many_samples(rng, setting, state, states, other):
    """Counts and sums that fit each other, of very many samples."""
    factor = int(rng.choice([10**6, 10**12, 10**15]))
    for key in ("run.counts", "run.sums"):
        try:
            state[key] = (np.array(state[key], dtype=float) * factor).tolist()
        except (KeyError, TypeError, ValueError, OverflowError):
            return


def certify(rng, setting, state, states, other):
    k = setting.n_clusters
    state["certified"] = rng.integers(0, k + int(rng.integers(2)), setting.n_arms).tolist()


DAMAGES = [
    drop, replace_whole, change_one, change_one, change_one, shift_some, shift_some, arms_somewhere,
    arms_somewhere, shuffle, double, truncate, extend, nest, swap, scale, from_another_time,
    from_another_algorithm, other_clusters, other_names, many_samples, certify,
]  # fmt: skip


# --- what must not happen -------------------------------------------------------------------------


class UnexpectedError(Exception):
    """Neither refused in one clear line nor accepted without harm."""


def refused(action: Any, kinds: Any = InvalidInputError) -> bool:
    """Whether ``action`` refuses; any other exception propagates."""
    try:
        action()
    except kinds as error:
        line = str(error)
        if not line or "\n" in line or len(line) > 600:
            raise UnexpectedError(f"not one clear line: {line!r}") from error
        return True
    return False


def text_of(learner: Learner) -> str:
    return json.dumps(learner.state())


def exercise(setting: Setting, learner: Learner, rng: np.random.Generator) -> None:
    """Everything that a learner can be asked for, and a few samples."""
    m = setting.n_arms
    for _ in range(2):
        if not learner.done:
            assert 0 <= learner.ask() < m
            assert all(0 <= arm < m for arm in learner.ask(3))
        assert 0.0 <= learner.progress <= 1.0
        learner.explain()
        labels = learner.labels
        assert labels is None or set(labels.tolist()) <= set(range(setting.n_clusters))
        assert learner.regions.shape[0] == m
        assert learner.doubt is not None
        assert learner.guarantee
        assert learner.room is None or learner.room >= 0
        arm = int(rng.integers(m))
        learner.tell(arm, setting.sample(rng, arm))
        arms = rng.integers(0, m, 5)
        steps = [int(arms[0]), int(arms[1]), -2, *map(int, arms[2:])]
        values = np.array([setting.sample(rng, int(a)) for a in arms]).reshape(5, setting.dim)
        learner.replay(np.array(steps), values, np.array([0, 3, 6]))
    learner.state()


def damaged_state(bench: "Bench", rng: np.random.Generator) -> str:
    state = damage(rng, bench.setting, bench.states, bench.other)
    before = text_of(bench.learner)
    if refused(lambda: bench.learner.restore(state)):
        if text_of(bench.learner) != before:
            raise UnexpectedError("a refused state changed the learner")
        return "refused"
    exercise(bench.setting, bench.learner, rng)
    return "accepted"


def damaged_arguments(bench: "Bench", rng: np.random.Generator) -> str:
    """Odd arguments of replay, pending, ask and tell."""
    learner, m, dim = bench.learner, bench.setting.n_arms, bench.setting.dim
    odd = [*ODD, *NUMBERS, m, m - 1, -m, [m], np.array([m]), np.array([[0]]), np.array([0.5])]

    def one() -> Any:
        return odd[rng.integers(len(odd))]

    def some(n: int) -> Any:
        if rng.random() < 0.2:
            return one()
        values = rng.integers(-2, m + 2, n)
        return values if rng.random() < 0.7 else values.astype(float)

    n = int(rng.integers(0, 5))
    samples = rng.choice([0.0, 1.0, 2.0, np.nan, np.inf, 1e300, -1.0], (n, dim))
    done = learner.done

    def replay() -> None:
        learner.replay(some(n), samples if rng.random() < 0.8 else one(), some(2))

    def set_pending() -> None:
        learner.pending = some(m)

    def ask() -> None:
        if not done:
            n = one()
            learner.ask(n if not isinstance(n, int) or n < 1000 else 10**12)

    def tell() -> None:
        learner.tell(*(one() if rng.random() < 0.5 else good for good in (0, [1.0] * dim)))

    before = text_of(learner)
    action = (replay, set_pending, ask, tell)[rng.integers(4)]
    if refused(action):
        if text_of(learner) != before:
            raise UnexpectedError("refused arguments changed the learner")
        return "refused"
    exercise(bench.setting, learner, rng)
    return "accepted"


def damaged_snapshot(bench: "Bench", rng: np.random.Generator) -> str:
    """A snapshot with other bytes; its checksum is that of these bytes."""
    study = State(bench.spec)
    study.learner.restore(bench.states[rng.integers(len(bench.states))])
    head, _, rest = dump(study).partition(b"\n")
    described = json.loads(head)
    kind = rng.integers(6)
    if kind == 0:
        described.pop(str(rng.choice(list(described))))
    elif kind == 1:
        described[str(rng.choice(list(described)))] = [
            None, "x", -1, 1.5, [], {}, [1], True, 10**30, [["a", "<f8", [2]]], {"samples": -1}
        ][rng.integers(11)]  # fmt: skip
    elif kind == 2:
        row = described["arrays"][rng.integers(len(described["arrays"]))]
        row[rng.integers(3)] = [
            "x", "<i8", "<f8", "O", "V8", "<U2", ">i8", [3], [-1], [10**12], [2**62, 4], 0, None,
            "datetime64[s]", "f8,f8",
        ][rng.integers(15)]  # fmt: skip
    elif kind == 3:
        rest = rest[: rng.integers(len(rest))]
    else:
        changed = bytearray(rest)
        for _ in range(int(rng.integers(1, 4))):
            changed[rng.integers(len(changed))] = rng.integers(256)
        if rng.random() < 0.5:
            at = 8 * int(rng.integers(len(changed) // 8))
            words = [np.array(n, dtype="<f8") for n in NUMBERS[:13]]
            words += [np.array(n, dtype="<i8") for n in (-1, -2, 0, 1, 7, 60, 2**53, -(2**63))]
            changed[at : at + 8] = words[rng.integers(len(words))].tobytes()
        rest = bytes(changed)
    taken: list[State] = []
    data = json.dumps(described).encode() + b"\n" + rest
    if refused(lambda: taken.append(load(bench.spec, data)), CorruptError):
        return "refused"
    exercise(bench.setting, taken[0].learner, rng)
    dump(taken[0])
    return "accepted"


class Bench:
    """A learner of a setting, its saved states, and the state of another algorithm."""

    def __init__(self, setting: Setting, number: int, other: Setting) -> None:
        rng = np.random.default_rng([number, 1])
        self.setting = setting
        self.states = saved_states(setting, rng)
        self.other = other.learner().state()
        self.learner = setting.learner()
        self.spec = Spec.new(arm_list(setting.n_arms), self.learner, 60.0, as_budget(None))
        self.learner.restore(self.states[-1])
        exercise(setting, self.learner, rng)
        self.learner.restore(self.states[-1])

    def case(self, number: int) -> str:
        rng = np.random.default_rng([number, 2])
        kind = rng.random()
        if kind < 0.8:
            found = damaged_state(self, rng)
        elif kind < 0.9:
            found = damaged_arguments(self, rng)
        else:
            found = damaged_snapshot(self, rng)
        self.learner.restore(self.states[-1])
        return found


#: Cases of one setting that follow each other: only the first of them compiles.
RUN = 20


def described(error: Exception) -> str:
    """An exception and where it was raised."""
    where = error.__traceback__
    while where is not None and where.tb_next is not None:
        where = where.tb_next
    frame = "" if where is None else f"{where.tb_frame.f_code.co_name}:{where.tb_lineno}"
    return f"{type(error).__name__} {error} {frame}"


def run_cases(first: int, count: int, stride: int = 1) -> Counter[str]:
    """Run cases one after the other; only every ``stride``-th setting is used."""
    unraised: list[str] = []
    sys.unraisablehook = lambda args: unraised.append(repr(args.exc_value))  # type: ignore[assignment]
    known = settings()[::stride]
    outcomes: Counter[str] = Counter()
    bench: Bench | None = None
    skipped = -1
    for number in range(first, first + count):
        at = (number // RUN) % len(known)
        if bench is None or bench.setting is not known[at]:
            if at == skipped:
                outcomes["valid refused"] += 1
                continue
            print("setting", at, known[at], flush=True)
            try:
                bench = Bench(known[at], at, known[(at + 1) % len(known)])
                if unraised:
                    raise UnexpectedError(f"a kernel raised {unraised[0]}")
            except Exception as error:
                print("failed setup", known[at], described(error), flush=True)
                outcomes["valid refused"] += 1
                unraised.clear()
                bench, skipped = None, at
                continue
        print("case", number, flush=True)
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        try:
            outcome = bench.case(number)
            if unraised:
                raise UnexpectedError(f"a kernel raised {unraised[0]}")
        except Exception as error:
            outcome = "failed"
            print("failed", number, known[at], described(error), flush=True)
            unraised.clear()
            bench = None
        faulthandler.cancel_dump_traceback_later()
        outcomes[outcome] += 1
    print("done", json.dumps(outcomes), flush=True)
    return outcomes


def in_children(first: int, count: int, stride: int = 1, most: int = 20) -> dict[str, Any]:
    """Run cases in child processes; where one ends early, the next goes on after its last case.

    Returns how many cases were refused, accepted or failed, and a line for each case that failed,
    crashed or hung (``most`` ends at most).
    """
    outcomes: Counter[str] = Counter()
    trouble: list[str] = []
    last = first + count
    while first < last and most > 0:
        command = [sys.executable, __file__, str(first), str(last - first), str(stride)]
        child = subprocess.run(
            command, capture_output=True, text=True, timeout=3600, check=False,
            cwd=Path(__file__).parents[2],
        )  # fmt: skip
        lines = child.stdout.splitlines()
        trouble += [line for line in lines if line.startswith("failed")]
        reached = [int(line.split()[1]) for line in lines if line.startswith("case")]
        if child.returncode == 0:
            outcomes.update(json.loads(lines[-1].removeprefix("done ")))
            break
        if not reached:
            trouble.append(f"no case began: {child.stderr[-2000:]}")
            break
        place = next((line for line in reversed(lines) if line.startswith("setting")), "")
        how = "hung" if "Timeout" in child.stderr else f"ended with {child.returncode}"
        trouble.append(f"{how} {reached[-1]} {place} {child.stderr[-500:]}")
        outcomes.update({"hung" if how == "hung" else "crashed": 1, "before": len(reached) - 1})
        first = reached[-1] + 1
        most -= 1
    return {"outcomes": dict(outcomes), "trouble": trouble}


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word != "--children"]
    if "--children" in sys.argv:
        print(json.dumps(in_children(*numbers), indent=1))
    else:
        run_cases(*numbers)
