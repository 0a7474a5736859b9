"""Cases of ``boclust.simulate``."""

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

import boclust
from boclust import Algorithm, Gaussian, Instance
from decisions.draws import sources
from decisions.encoding import integers
from decisions.problems import FAMILIES, GAUSSIAN, ONE_PARAMETER, instance, many

#: What ``boclust.algorithms()`` returned when the record was made.
ALGORITHMS = (
    "span", "atboc", "dtboc", "watboc", "atboc-1pexp", "lucbboc", "lucbboc-ucb", "boc-elim", "rr",
    "fss", "boc", "boc-slink", "maxgap-elim", "maxgap-ucb", "maxgap-top2ucb",
)  # fmt: skip
SAMPLING = ("challenger", "average", "direct", "weighted", "lucb", "lucb-ucb", "rr")
#: The stopping rules that go with every sampling rule of ``SAMPLING``, by instance.
STOPPING = {
    "A": (
        "paper", "paper-1pexp", "mixture", "local", "local-semi", "local-directional",
        "heuristic", "constant",
    ),
    "B": ("paper", "mixture", "local", "local-semi", "heuristic", "constant"),
    "bounded": ("local-bounded", "local", "local-directional", "mixture"),
    "bounded-plane": ("local-bounded", "local-semi"),
    "bernoulli-natural": ("local", "mixture", "heuristic", "constant"),
    "bernoulli-mean": ("local", "paper-1pexp"),
    "poisson-natural": ("local", "paper-1pexp"),
    "poisson-mean": ("local", "mixture"),
    "exponential-natural": ("local", "mixture"),
    "exponential-mean": ("local", "constant"),
}  # fmt: skip
DELTAS = (0.5, 0.1, 0.001)

Run = tuple[str, Any]


def pair(sampling: str, stopping: str | None, **options: Any) -> Callable[[], Algorithm]:
    """An algorithm that is made when its case runs, so that a refusal names the case."""
    return partial(Algorithm, sampling=sampling, stopping=stopping, **options)


def made(value: Any) -> Any:
    """A name or None as it is; an algorithm or a source made."""
    return value() if callable(value) else value


def table(
    problem: Instance,
    algorithms: list[Any],
    deltas: tuple[float, ...] = DELTAS,
    trials: int | range = 3,
    seed: int = 0,
    max_samples: int = 1500,
    source: Any = None,
) -> dict[str, Any]:
    """The columns of the table of a simulation; the names of unnamed pairs are left out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", boclust.HopelessWarning)
        found = boclust.simulate(
            instance=problem, algorithms=[made(algorithm) for algorithm in algorithms],
            deltas=list(deltas), trials=trials, seed=seed, jobs=1, max_samples=max_samples,
            progress=False, source=made(source),
        )  # fmt: skip
    names = ["delta", "trial", "n_samples", "correct", "stopped"]
    if all(isinstance(algorithm, str) for algorithm in algorithms):
        names = ["algorithm", *names]
    columns = {name: found.table.column(name).to_pylist() for name in names}
    columns["pulls"] = [integers(row) for row in found.table.column("pulls").to_pylist()]
    return columns


def applies(algorithm: str, problem: Instance) -> bool:
    """Whether the algorithm can be used for this problem.

    With one cluster nothing is to be decided, and the rules named boc did not all survive that.
    """
    if algorithm.startswith("boc") and problem.n_clusters == 1:
        return False
    one_parameter = isinstance(problem.family, ONE_PARAMETER)
    if algorithm.startswith("maxgap"):
        return problem.dim == 1 and problem.n_clusters == 2
    if algorithm == "boc-elim":
        return problem.dim == 1
    if algorithm == "atboc-1pexp":
        return problem.dim == 1 and (one_parameter or isinstance(problem.family, Gaussian))
    return not (algorithm.startswith("boc") and one_parameter)


def cases() -> Iterator[Run]:
    yield from _named()
    yield from _pairs()
    yield from _options()
    yield from _seeds()
    yield from _sources()
    yield from _many_arms()


def _named() -> Iterator[Run]:
    """Every algorithm on every instance that it admits."""
    for where, problem in (GAUSSIAN | FAMILIES).items():
        for name in ALGORITHMS:
            if applies(name, problem):
                run = partial(table, problem, [name], **_budget(where, name))
                yield f"simulate/{where}/{name}", run


def _budget(where: str, sampling: str) -> dict[str, int]:
    """Fewer samples where runs do not stop, or where every sample takes long."""
    tracking = sampling in ("average", "direct", "weighted") or "tboc" in sampling
    if where.startswith(("near-tie", "tie")):
        return {"max_samples": 500}
    if where == "exponential-mean" and tracking:
        return {"trials": 2, "max_samples": 300}
    return {"max_samples": 3000} if where.startswith("bounded") else {}


def _pairs() -> Iterator[Run]:
    """Every sampling rule with every stopping rule that makes sense with it."""
    for where, rules in STOPPING.items():
        problem = (GAUSSIAN | FAMILIES)[where]
        for sampling in SAMPLING:
            for stopping in rules:
                drawn = {"trials": 2, "seed": 1, "max_samples": 1000} | _budget(where, sampling)
                run = partial(table, problem, [pair(sampling, stopping)], **drawn)
                yield f"pair/{where}/{sampling}+{stopping}", run


def _options() -> Iterator[Run]:
    """The options of rules."""
    chosen: list[tuple[str, str, str | None, dict[str, Any]]] = [
        ("A", "challenger", "local", {"precision": 1.0}),
        ("A", "challenger", "local", {"precision": 100.0}),
        ("A", "challenger", "mixture", {"precision": 0.01}),
        ("A", "rr", "mixture", {"precision": 25.0}),
        ("B", "challenger", "local", {"precision": 2.5}),
        ("B", "lucb-ucb", "mixture", {"precision": 4.0}),
        ("poisson-mean", "challenger", "local", {"precision": 3.0}),
        ("bernoulli-natural", "rr", "mixture", {"precision": 3.0}),
        ("A", "average", "paper-1pexp", {"zeta": 1.0}),
        ("A", "rr", "paper-1pexp", {"zeta": 0.01}),
        ("bernoulli-two", "average", "paper-1pexp", {"zeta": 0.5}),
        ("A", "fss", None, {"per_arm": 1}),
        ("A", "fss", None, {"per_arm": 33}),
        ("B", "fss", "fixed-size", {"per_arm": 5}),
        ("A", "lucb", "paper", {"radius_delta": 0.2}),
        ("A", "lucb-ucb", "local-directional", {"radius_delta": 1e-5}),
        ("B", "lucb", "mixture", {"radius_delta": 0.9}),
        ("C", "elimination", None, {"constant": True}),
        ("A", "elimination", "decided", {"constant": True}),
        ("poisson-two", "elimination", None, {"constant": True}),
        ("C", "maxgap-elim", None, {"constant": True}),
        ("C", "maxgap-ucb", None, {"constant": True}),
        ("C", "maxgap-top2ucb", None, {"constant": True}),
        ("B", "boc", None, {"constant": True}),
        ("B", "boc-slink", "boc-statistic", {"constant": True}),
        ("A", "challenger", None, {"batch": 3}),
        ("A", "challenger", "local", {"batch": 1, "precision": 7.0}),
    ]
    for where, sampling, stopping, options in chosen:
        problem = (GAUSSIAN | FAMILIES)[where]
        algorithm = pair(sampling, stopping, **options)
        said = ",".join(f"{name}={value}" for name, value in options.items())
        run = partial(table, problem, [algorithm], seed=2)
        yield f"option/{where}/{sampling}+{stopping}/{said}", run


def _seeds() -> Iterator[Run]:
    """Long runs, small deltas, other seeds, ranges of trials, several algorithms at once."""
    a, b, c = (GAUSSIAN[name] for name in "ABC")
    long = {"deltas": (0.1, 1e-3, 1e-9), "max_samples": 20_000}
    for name in ("span", "lucbboc", "lucbboc-ucb", "boc-elim", "rr"):
        yield f"long/A/{name}", partial(table, a, [name], trials=4, seed=11, **long)
    for name in ("span", "lucbboc-ucb", "rr", "boc"):
        yield f"long/B/{name}", partial(table, b, [name], trials=4, seed=12, **long)
    for name in ("maxgap-elim", "maxgap-ucb", "maxgap-top2ucb"):
        yield f"long/C/{name}", partial(table, c, [name], trials=4, seed=13, **long)
    for name in ("atboc", "dtboc", "watboc"):
        run = partial(table, c, [name], deltas=(0.1, 1e-4), trials=2, seed=14, max_samples=5000)
        yield f"long/C/{name}", run
    yield "trials/A/range", partial(table, a, ["span"], trials=range(5, 30, 3), seed=3)
    yield "trials/A/large-seed", partial(table, a, ["span"], seed=2**63 + 5)
    together = partial(table, GAUSSIAN["negative"], list(ALGORITHMS), trials=2, max_samples=200)
    yield "trials/negative/all-algorithms", together


def _sources() -> Iterator[Run]:
    for where, (problem, source) in sources().items():
        for name in ("span", "lucbboc-ucb", "rr"):
            most = 1500 if "," not in where else 300  # records that are given once run out
            run = partial(table, problem, [name], max_samples=most, seed=5, source=source)
            yield f"source/{where}/{name}", run


def _many_arms() -> Iterator[Run]:
    """Budgets are small; with little noise the runs stop, with more of it they do not."""
    budgets = {60: 900, 120: 1200, 300: 1500}
    few: dict[str, Any] = {"deltas": (0.5, 0.01), "trials": 1}
    for m, d, name in product(budgets, (1, 2, 5), ("span", "rr")):
        for sigma in (1.0, 0.15):
            # the exact statistic of 300 arms on a line takes long
            most = 330 if (m, d, name) == (300, 1, "rr") else budgets[m]
            run = partial(table, many(m, d, sigma), [name], max_samples=most, **few)
            yield f"many/M={m},d={d},sigma={sigma}/{name}", run
    few["max_samples"] = 900
    rules: list[tuple[str, str, dict[str, Any]]] = [
        ("challenger", "local", {"batch": 1}),
        ("challenger", "local", {"batch": 25, "precision": 3.0}),
        ("rr", "local", {}),
        ("challenger", "mixture", {}),
        ("lucb-ucb", "local", {}),
    ]
    for d in (1, 2):
        problem = many(60, d, 0.15)
        for sampling, stopping, options in rules:
            algorithm = pair(sampling, stopping, **options)
            said = ",".join([sampling, stopping, *(f"{k}={v}" for k, v in options.items())])
            yield f"many/M=60,d={d}/{said}", partial(table, problem, [algorithm], **few)
        for name in ("lucbboc", "boc-slink", "fss"):
            yield f"many/M=60,d={d}/{name}", partial(table, problem, [name], **few)
    line = many(60, 1, 0.15)
    yield "many/M=60,d=1/boc-elim", partial(table, line, ["boc-elim"], **few)
    directional = pair("challenger", "local-directional")
    yield "many/M=60,d=1/directional", partial(table, line, [directional], **few)
    equal = instance(np.repeat([0.0, 3.0, 6.0, 9.0], 15), 4, Gaussian(sigma=0.25))
    yield "many/coincident/span", partial(table, equal, ["span"], **few)
    plane = instance(np.repeat([[0.0, 0.0], [3.0, 1.0], [6.0, 0.0]], 20, axis=0), 3)
    yield "many/coincident-plane/span", partial(table, plane, ["span"], **few)
