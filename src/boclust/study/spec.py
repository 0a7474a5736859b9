"""The parameters of a study, as its first event records them."""

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

import boclust
from boclust._validate import MOST_ARMS, integer, invalid, repeated, shown
from boclust.problem.families import Family
from boclust.problem.families import family as named_family
from boclust.run.learner import Learner
from boclust.run.algorithm import Algorithm
from boclust.study.checks import positive, text
from boclust.study.events import to_json


@dataclass(frozen=True)
class Arm:
    """An arm: its name, the cost of one sample, and tags to find it by."""

    name: str
    cost: float = 1.0
    tags: tuple[str, ...] = ()


def arm_list(value: Any) -> tuple[Arm, ...]:
    """Arms from names, from mappings with ``name``, ``cost`` and ``tags``, or from their number."""
    accepted = "at least 2 different names, or mappings with name, cost and tags"
    if isinstance(value, int) and not isinstance(value, bool):
        integer("arms", value, 2, MOST_ARMS)
        value = [str(number) for number in range(value)]
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Sequence):
        raise invalid("arms", accepted, shown(value))
    arms = tuple(_arm(one) for one in value)
    if len(arms) < 2:
        raise invalid("arms", accepted, len(arms))
    if (twice := repeated(arm.name for arm in arms)) is not None:
        raise invalid("arms", accepted, f"{shown(twice)} twice")
    return arms


def _arm(value: Any) -> Arm:
    if isinstance(value, Arm):
        value = asdict(value)
    if not isinstance(value, Mapping):
        return Arm(text("arms", value))
    if "name" not in value or not set(value) <= {"name", "cost", "tags"}:
        accepted = "names, or mappings with name and optionally cost and tags"
        raise invalid("arms", accepted, shown(dict(value)))
    tags = value.get("tags", ())
    if isinstance(tags, str) or not isinstance(tags, Sequence):
        raise invalid("tags", "a list of words", shown(tags))
    return Arm(
        text("arms", value["name"]),
        positive("cost", value.get("cost", 1.0), zero=True),
        tuple(text("tags", tag) for tag in tags),
    )


@dataclass(frozen=True)
class Budget:
    """The largest number of samples and their largest total cost; None for no limit."""

    samples: int | None
    cost: float | None


def as_budget(value: Any) -> Budget:
    """A budget from a number of samples or a mapping with ``samples``, ``cost`` or both."""
    if value is None or isinstance(value, Budget):
        return value or Budget(None, None)
    if not isinstance(value, Mapping):
        return Budget(integer("budget", value, 1), None)
    if not value or not set(value) <= {"samples", "cost"}:
        accepted = "a number of samples, a mapping with samples, cost or both, or None"
        raise invalid("budget", accepted, shown(value))
    samples, cost = value.get("samples"), value.get("cost")
    return Budget(
        None if samples is None else integer("budget samples", samples, 1),
        None if cost is None else positive("budget cost", cost),
    )


@dataclass(frozen=True)
class Spec:
    """The parameters of a study; ``token`` marks its asks, so that no other study accepts them."""

    arms: tuple[Arm, ...]
    n_clusters: int
    delta: float
    dim: int
    family: Family
    algorithm: Algorithm
    rule: str  # the stopping rule that the algorithm chose when the study was created
    lease: float  # seconds
    budget: Budget
    parent: dict[str, Any] | None  # of a fork: name, events, n_clusters and delta of its source
    token: str
    version: str

    @staticmethod
    def new(
        arms: tuple[Arm, ...],
        learner: Learner,
        lease: Any,
        budget: Budget,
        parent: dict[str, Any] | None = None,
        token: str | None = None,
    ) -> "Spec":
        """The parameters of a new study; ``learner`` has validated its own."""
        return Spec(
            arms, learner.n_clusters, learner.delta, learner.dim, learner.family,
            learner.algorithm, learner.stopping, positive("lease", lease), budget, parent,
            token or secrets.token_hex(4), boclust.__version__,
        )  # fmt: skip

    def learner(self) -> Learner:
        """A learner without samples, with the stopping rule of the study's creation."""
        algorithm = Algorithm(self.algorithm.sampling, self.rule, **self.algorithm.options)
        return Learner(
            len(self.arms), self.n_clusters, delta=self.delta, dim=self.dim, algorithm=algorithm,
            family=self.family,
        )  # fmt: skip

    def to_json(self) -> str:
        """The payload of the first event."""
        return to_json(self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """The parameters as plain data."""
        algorithm, family = self.algorithm, self.family
        own = {field.name: getattr(family, field.name) for field in fields(family)}  # type: ignore[arg-type]
        return {field.name: getattr(self, field.name) for field in fields(self)} | {
            "arms": [asdict(arm) | {"tags": list(arm.tags)} for arm in self.arms],
            "family": {"name": family.name, **own},
            "algorithm": {
                "sampling": algorithm.sampling,
                "stopping": algorithm.stopping,
                "options": {
                    name: value.item() if isinstance(value, np.generic) else value
                    for name, value in algorithm.options.items()
                },
            },
            "budget": asdict(self.budget),
        }

    @staticmethod
    def from_json(written: str) -> "Spec":
        """The parameters that a first event records, also one of an older version."""
        data = json.loads(written)
        data.pop("seed", None)  # older versions recorded one, which no rule used
        written_algorithm, family = data["algorithm"], named_family(**data["family"])
        algorithm = Algorithm(
            written_algorithm["sampling"], written_algorithm["stopping"],
            **written_algorithm["options"],
        )  # fmt: skip
        if "rule" not in data:  # then the choice did not depend on the number of arms
            _, stopping = algorithm.rules(data["dim"], data["n_clusters"], family)
            data["rule"] = stopping.name
        arms = (Arm(arm["name"], arm["cost"], tuple(arm["tags"])) for arm in data["arms"])
        return Spec(
            **data
            | {
                "arms": tuple(arms),
                "family": family,
                "algorithm": algorithm,
                "budget": Budget(**data["budget"]),
            }
        )


def token_of(name: str, key: str) -> str:
    """The token of a study that is created with a key: always the same."""
    return hashlib.sha256(to_json([name, key]).encode()).hexdigest()[:8]


def same_parameters(written: str, other: str) -> bool:
    """Whether two first events record the same parameters, whichever versions wrote them."""
    ignored = {"version": None, "rule": None, "seed": None}
    return bool(json.loads(written) | ignored == json.loads(other) | ignored)
