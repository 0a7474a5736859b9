"""What the API takes.

Types are strict: a number is never made of text. Values and costs are passed on as they were
written and checked by the study, which refuses whole numbers that a float would round.
"""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

_NUMBER = {"type": "number"}
_SEVERAL = {"type": "array", "items": _NUMBER, "minItems": 1}
Number = Annotated[Any, WithJsonSchema(_NUMBER)]
Value = Annotated[Any, WithJsonSchema({"anyOf": [_NUMBER, _SEVERAL]})]
Text = Annotated[str, Field(min_length=1, max_length=2000)]
EventNumber = Annotated[int, Field(ge=1, le=2**62)]


class _Taken(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class NewArm(_Taken):
    """An arm: what a sample of it costs, and words to find it by."""

    name: Text
    cost: Number = 1.0
    tags: list[Text] = []


class NewFamily(_Taken):
    """What is assumed of the samples; each family has some of the options."""

    name: str
    sigma: Number = None
    low: Number = None
    high: Number = None
    space: str | None = None


class NewAlgorithm(_Taken):
    """A sampling and a stopping rule."""

    sampling: str = "challenger"
    stopping: str | None = None
    options: dict[str, Any] = {}


class BudgetIn(_Taken):
    """At most so many samples, or samples until they have cost so much; null for no limit."""

    samples: Annotated[int, Field(ge=1, le=2**62)] | None = None
    cost: Number | None = None


class NewStudy(_Taken):
    """A study to create: see ``boclust.Study.create``."""

    name: Text
    arms: Annotated[int, Field(ge=2, le=10_000)] | list[Text | NewArm]
    n_clusters: Annotated[int, Field(ge=1)]
    delta: Number
    dim: Annotated[int, Field(ge=1, le=1000)] = 1
    family: NewFamily = NewFamily(name="gaussian")
    algorithm: str | NewAlgorithm = "span"
    budget: Annotated[int, Field(ge=1, le=2**62)] | BudgetIn | None = None
    lease: Number = 3600.0
    seed: int | None = None


class Asking(_Taken):
    """How many asks; a client gets first those that it holds."""

    n: Annotated[int, Field(ge=1, le=10_000)] = 1
    client: Text | None = None


class Observation(_Taken):
    """A value of an arm (its name or number) or of an ask (its id)."""

    arm: int | str | None = None
    ask: str | None = None
    value: Value
    key: Text | None = None
    metadata: dict[str, Any] | None = None


class Telling(_Taken):
    """Values: all are recorded, or none."""

    observations: Annotated[list[Observation], Field(min_length=1)]
    client: Text | None = None


class By(_Taken):
    """Who does it."""

    client: Text | None = None


class Voiding(By):
    """A value to leave out, by the number of its event."""

    event: EventNumber
    reason: Text


class Correcting(Voiding):
    """A value to put in the place of another."""

    value: Value


class Stopping(By):
    """Why the study ends."""

    reason: Text


class NewBudget(BudgetIn, By):
    """Another budget."""


class Nothing(_Taken):
    """An empty object."""


class Login(_Taken):
    """A token that the browser is to keep."""

    token: str
