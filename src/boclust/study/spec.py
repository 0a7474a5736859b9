"""What a study was created with: all that its first event says."""

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

import boclust
from boclust._validate import MOST_ARMS, fail, integer, repeated, shown
from boclust.problem.families import Family
from boclust.problem.families import family as named_family
from boclust.run.learner import Learner
from boclust.run.algorithm import Algorithm
from boclust.study.checks import Budget, positive, text
from boclust.study.events import to_json


@dataclass(frozen=True)
class Arm:
    """A source of samples: what a sample costs, and words to find it by."""

    name: str
    cost: float = 1.0
    tags: tuple[str, ...] = ()


def arm_list(value: Any) -> tuple[Arm, ...]:
    """Names, mappings with ``name`` and perhaps ``cost`` and ``tags``, or the number of arms."""
    accepted = "at least 2 different names, or mappings with name, cost and tags"
    if isinstance(value, int) and not isinstance(value, bool):
        integer("arms", value, 2, MOST_ARMS)
        value = [str(number) for number in range(value)]
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Sequence):
        raise fail("arms", f"is {shown(value)}", accepted)
    arms = tuple(_arm(one) for one in value)
    if len(arms) < 2:
        raise fail("arms", f"has {len(arms)}", accepted)
    if (twice := repeated(arm.name for arm in arms)) is not None:
        raise fail("arms", f"has {shown(twice)} twice", accepted)
    return arms


def _arm(value: Any) -> Arm:
    if isinstance(value, Arm):
        value = asdict(value)
    if not isinstance(value, Mapping):
        return Arm(text("arms", value))
    if "name" not in value or not set(value) <= {"name", "cost", "tags"}:
        raise fail("arms", f"has {shown(dict(value))}", "mappings with name, cost and tags")
    tags = value.get("tags", ())
    if isinstance(tags, str) or not isinstance(tags, Sequence):
        raise fail("arms", f"has the tags {shown(tags)}", "a list of words")
    return Arm(
        text("arms", value["name"]),
        positive("cost", value.get("cost", 1.0), zero=True),
        tuple(text("tags", tag) for tag in tags),
    )


@dataclass(frozen=True)
class Spec:
    """The parameters of a study; ``token`` marks its asks, so that no other study takes them."""

    arms: tuple[Arm, ...]
    n_clusters: int
    delta: float
    dim: int
    family: Family
    algorithm: Algorithm
    rule: str  # the stopping rule that the algorithm stood for when the study was made
    seed: int | None
    lease: float  # seconds
    budget: Budget
    parent: dict[str, Any] | None  # of a fork: the study, its length and its n_clusters and delta
    token: str
    version: str

    @staticmethod
    def new(
        arms: tuple[Arm, ...],
        learner: Learner,
        lease: Any,
        budget: Budget,
        parent: Any = None,
        token: str | None = None,
    ) -> "Spec":
        """Of a new study; ``learner`` has checked what it needs to know."""
        return Spec(
            arms, learner.n_clusters, learner.delta, learner.dim, learner.family,
            learner.algorithm, learner.stopping, learner.seed, positive("lease", lease), budget,
            parent, token or secrets.token_hex(4), boclust.__version__,
        )  # fmt: skip

    def learner(self) -> Learner:
        """The algorithm, without samples; later versions may prefer another rule, this stays."""
        algorithm = Algorithm(self.algorithm.sampling, self.rule, **self.algorithm.options)
        return Learner(
            len(self.arms), self.n_clusters, self.delta, self.dim, algorithm, self.family, self.seed
        )

    def to_json(self) -> str:
        """As the first event has it."""
        return to_json(self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
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
        """What ``to_json`` wrote."""
        data = json.loads(written)
        said, family = data["algorithm"], named_family(**data["family"])
        algorithm = Algorithm(said["sampling"], said["stopping"], **said["options"])
        if "rule" not in data:  # written before it was, when the number of arms did not matter
            _, stopping = algorithm.rules(data["dim"], data["n_clusters"], family)
            data["rule"] = stopping.name
        return Spec(
            **data
            | {
                "arms": tuple(
                    Arm(arm["name"], arm["cost"], tuple(arm["tags"])) for arm in data["arms"]
                ),
                "family": family,
                "algorithm": algorithm,
                "budget": Budget(**data["budget"]),
            }
        )


def token_of(name: str, key: str) -> str:
    """The token of a study that is created with a key: the same every time."""
    return hashlib.sha256(to_json([name, key]).encode()).hexdigest()[:8]
