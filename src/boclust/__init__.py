"""Bandit online clustering: group M sources into K clusters from as few samples as possible.

The public names are loaded when they are first used, so that ``import boclust`` costs nothing:

>>> import boclust
>>> instance = boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], n_clusters=3)
>>> instance.labels.tolist()
[0, 0, 0, 1, 1, 2, 2]
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boclust import datasets, sources
    from boclust._validate import InvalidInputError
    from boclust.client import Client
    from boclust.planning import Plan, plan
    from boclust.problem.families import (
        Bernoulli,
        Bounded,
        Exponential,
        Family,
        Gaussian,
        Poisson,
        SubGaussian,
    )
    from boclust.problem.instance import Instance
    from boclust.psi import Infimum, infimum
    from boclust.psi.bound import HopelessWarning, LowerBound, lower_bound
    from boclust.run.algorithm import Algorithm, algorithms
    from boclust.run.cluster import Clustering, DoubtWarning, SourceError, cluster
    from boclust.run.learner import Explanation, Learner
    from boclust.simulation import Results, simulate
    from boclust.study import ConflictError, Study, StudyError, StudyStoppedError

__version__ = "0.1.0"

_HOME = {
    "Algorithm": "run.algorithm",
    "Bernoulli": "problem.families",
    "Bounded": "problem.families",
    "Client": "client",
    "Clustering": "run.cluster",
    "ConflictError": "study",
    "DoubtWarning": "run.cluster",
    "Explanation": "run.learner",
    "Exponential": "problem.families",
    "Family": "problem.families",
    "Gaussian": "problem.families",
    "HopelessWarning": "psi.bound",
    "Infimum": "psi",
    "Instance": "problem.instance",
    "InvalidInputError": "_validate",
    "Learner": "run.learner",
    "LowerBound": "psi.bound",
    "Plan": "planning",
    "Poisson": "problem.families",
    "Results": "simulation",
    "SourceError": "run.cluster",
    "Study": "study",
    "StudyError": "study",
    "StudyStoppedError": "study",
    "SubGaussian": "problem.families",
    "algorithms": "run.algorithm",
    "cluster": "run.cluster",
    "infimum": "psi",
    "lower_bound": "psi.bound",
    "plan": "planning",
    "simulate": "simulation",
}

__all__ = [
    "Algorithm",
    "Bernoulli",
    "Bounded",
    "Client",
    "Clustering",
    "ConflictError",
    "DoubtWarning",
    "Explanation",
    "Exponential",
    "Family",
    "Gaussian",
    "HopelessWarning",
    "Infimum",
    "Instance",
    "InvalidInputError",
    "Learner",
    "LowerBound",
    "Plan",
    "Poisson",
    "Results",
    "SourceError",
    "Study",
    "StudyError",
    "StudyStoppedError",
    "SubGaussian",
    "algorithms",
    "cluster",
    "datasets",
    "infimum",
    "lower_bound",
    "plan",
    "simulate",
    "sources",
]


def __getattr__(name: str) -> Any:
    if name in ("datasets", "sources"):  # modules, not names in one
        return import_module(f"boclust.{name}")
    try:
        home = _HOME[name]
    except KeyError:
        raise AttributeError(f"module 'boclust' has no attribute {name!r}") from None
    value = getattr(import_module(f"boclust.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
