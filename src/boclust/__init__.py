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
    from boclust.alternatives import Infimum, infimum
    from boclust.bound import HopelessWarning, LowerBound, lower_bound
    from boclust.client import Client
    from boclust.clustering import Clustering, DoubtWarning, SourceError, cluster
    from boclust.families import (
        Bernoulli,
        Bounded,
        Exponential,
        Family,
        Gaussian,
        Poisson,
        SubGaussian,
    )
    from boclust.instance import Instance
    from boclust.learner import Explanation, Learner
    from boclust.planning import Plan, plan
    from boclust.registry import Algorithm, algorithms
    from boclust.simulation import Results, simulate
    from boclust.study import ConflictError, Study, StudyError, StudyStoppedError

__version__ = "0.1.0"

_HOME = {
    "Algorithm": "registry",
    "Bernoulli": "families",
    "Bounded": "families",
    "Client": "client",
    "Clustering": "clustering",
    "ConflictError": "study",
    "DoubtWarning": "clustering",
    "Explanation": "learner",
    "Exponential": "families",
    "Family": "families",
    "Gaussian": "families",
    "HopelessWarning": "bound",
    "Infimum": "alternatives",
    "Instance": "instance",
    "InvalidInputError": "_validate",
    "Learner": "learner",
    "LowerBound": "bound",
    "Plan": "planning",
    "Poisson": "families",
    "Results": "simulation",
    "SourceError": "clustering",
    "Study": "study",
    "StudyError": "study",
    "StudyStoppedError": "study",
    "SubGaussian": "families",
    "algorithms": "registry",
    "cluster": "clustering",
    "infimum": "alternatives",
    "lower_bound": "bound",
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
