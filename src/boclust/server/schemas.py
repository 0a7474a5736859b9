"""The bodies of requests and answers; ``boclust.study`` has the data classes of most answers.

Types of requests are strict: text is never converted to a number. Values and costs are passed on as
they are, and the study validates them: it refuses integers that a float would round.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from boclust.server.tokens import Role
from boclust.study.events import Record
from boclust.study.status import Ask, Estimate, Status, StudyState

_NUMBER = {"type": "number"}
_SEVERAL = {"type": "array", "items": _NUMBER, "minItems": 1}
Number = Annotated[Any, WithJsonSchema(_NUMBER)]
Value = Annotated[Any, WithJsonSchema({"anyOf": [_NUMBER, _SEVERAL]})]
Text = Annotated[str, Field(min_length=1, max_length=2000)]
EventSeq = Annotated[int, Field(ge=1, le=2**62)]


# --- requests -------------------------------------------------------------------------------------


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Empty(_Request):
    """An empty object."""


class NewArm(_Request):
    """An arm: its name, the cost of one sample, and tags to find it by."""

    name: Text
    cost: Number = 1.0
    tags: list[Text] = []


class NewFamily(_Request):
    """The family of the samples; each family has some of these options."""

    name: str
    sigma: Number = None
    low: Number = None
    high: Number = None
    space: str | None = None


class NewAlgorithm(_Request):
    """A sampling rule and a stopping rule."""

    sampling: str = "challenger"
    stopping: str | None = None
    options: dict[str, Any] = {}


class BudgetLimits(_Request):
    """The largest number of samples and their largest total cost; null for no limit."""

    samples: Annotated[int, Field(ge=1, le=2**62)] | None = None
    cost: Number | None = None


class NewStudy(_Request):
    """A study to create: see ``boclust.Study.create``."""

    name: Text
    arms: Annotated[int, Field(ge=2, le=10_000)] | list[Text | NewArm]
    n_clusters: Annotated[int, Field(ge=1)]
    delta: Number
    dim: Annotated[int, Field(ge=1, le=1000)] = 1
    family: NewFamily = NewFamily(name="gaussian")
    algorithm: str | NewAlgorithm = "span"
    budget: Annotated[int, Field(ge=1, le=2**62)] | BudgetLimits | None = None
    lease: Number = 3600.0


class AskRequest(_Request):
    """The number of asks; a client first gets its own pending asks."""

    n: Annotated[int, Field(ge=1, le=10_000)] = 1
    client: Text | None = None


class Observation(_Request):
    """A value of an arm (its name or number) or of an ask (its id)."""

    arm: int | str | None = None
    ask: str | None = None
    value: Value
    key: Text | None = None
    metadata: dict[str, Any] | None = None


class TellRequest(_Request):
    """Observations to record, all or none."""

    observations: Annotated[list[Observation], Field(min_length=1)]
    client: Text | None = None


class ClientRequest(_Request):
    """The name of the client, for the log."""

    client: Text | None = None


class VoidRequest(ClientRequest):
    """An observation to exclude, by the number of its event."""

    event: EventSeq
    reason: Text


class CorrectRequest(VoidRequest):
    """An observation to replace, by the number of its event."""

    value: Value


class StopRequest(ClientRequest):
    """The reason for stopping a study."""

    reason: Text


class BudgetRequest(BudgetLimits, ClientRequest):
    """Another budget."""


class LoginRequest(_Request):
    """A token for the page's cookie."""

    token: str


# --- answers --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Health:
    """The server and its database answer; ``tokens`` says whether it requires tokens."""

    status: Literal["ok"]
    version: str
    tokens: bool


@dataclass(frozen=True)
class Who:
    """The owner of a token; ``studies`` is null for all studies."""

    tokens: bool
    name: str | None
    role: Role
    studies: list[str] | None


@dataclass(frozen=True)
class StudySummary:
    """A study in a list."""

    name: str
    path: str
    state: StudyState
    progress: float
    samples: int
    cost: float
    n_arms: int
    n_clusters: int
    delta: float
    events: int
    last: str
    remaining_samples: Estimate | None


@dataclass(frozen=True)
class StudyPage:
    """One page of studies; ``next`` is the ``after`` of the following page."""

    studies: list[StudySummary]
    next: str | None


@dataclass(frozen=True)
class StudyDetails:
    """The status of a study, the parameters of its creation, and its name in URL paths.

    In ``parameters``, the ``name`` of the algorithm is null if its pair of rules has no name.
    """

    status: Status
    parameters: dict[str, Any]
    path: str


@dataclass(frozen=True)
class EventPage:
    """One page of events; ``next`` is the ``after`` of the following page."""

    events: list[Record]
    next: int | None


@dataclass(frozen=True)
class Asks:
    """At most as many asks as requested."""

    asks: list[Ask]


@dataclass(frozen=True)
class EventNumbers:
    """The event numbers of the observations, in their order."""

    events: list[int]


@dataclass(frozen=True)
class EventNumber:
    """The number of the new event."""

    event: int


@dataclass(frozen=True)
class ProblemDetails:
    """An error; ``argument`` names the invalid field, ``how`` says how the study ended."""

    type: str
    title: str
    status: int
    detail: str
    how: str | None = None
    argument: str | None = None
