"""What the API gives, for its description: see the data classes of ``boclust.study``."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

State = Literal["open", "paused", "certified", "budget", "stopped"]


class _Given(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Budget(_Given):
    """None: as many as it takes."""

    samples: int | None
    cost: float | None


class Estimate(_Given):
    """A number that is likely to lie from ``low`` to ``high``."""

    value: float | None
    low: float | None
    high: float | None


class Ask(_Given):
    """A sample to take."""

    id: str
    arm: int
    name: str
    client: str | None
    until: str


class ArmStatus(_Given):
    """An arm."""

    name: str
    cost: float
    tags: list[str]
    samples: int
    estimate: list[float] | None
    pending: int
    cluster: int | None


class Status(_Given):
    """Where a study stands."""

    name: str
    state: State
    n_clusters: int
    delta: float
    clusters: list[list[str]] | None
    progress: float
    guarantee: str
    notes: list[str]
    samples: int
    cost: float
    budget: Budget
    remaining_samples: Estimate | None
    remaining_cost: Estimate | None
    arms: list[ArmStatus]
    asks: list[Ask]
    voided: int
    corrected: int
    events: int


class Whole(_Given):
    """A study: where it stands, what it was created with, and how it is called in a path.

    In ``parameters`` the ``name`` of the algorithm is null where its pair of rules has none.
    """

    status: Status
    parameters: dict[str, Any]
    path: str


class Summary(_Given):
    """A study in a few words."""

    name: str
    path: str
    state: State
    progress: float
    samples: int
    cost: float
    n_arms: int
    n_clusters: int
    delta: float
    events: int
    last: str
    remaining_samples: Estimate | None


class Summaries(_Given):
    """A page of studies; ``next`` is the ``after`` of the following page."""

    studies: list[Summary]
    next: str | None


class Explanation(_Given):
    """Why the next arm is the next."""

    arm: int | None
    name: str | None
    reason: str
    evidence: float | None
    threshold: float | None
    remaining: float | None
    text: str


class Event(_Given):
    """Something that happened; what it does not have is null."""

    seq: int
    kind: str
    time: str
    client: str | None
    key: str | None
    ask: str | None
    target: int | None
    arm: str | None
    value: float | list[float] | None
    payload: dict[str, Any] | None


class Events(_Given):
    """A page of events; ``next`` is the ``after`` of the following page."""

    events: list[Event]
    next: int | None


class Asks(_Given):
    """At most as many as were asked for."""

    asks: list[Ask]


class Numbers(_Given):
    """The numbers of the events, in the order of the values."""

    events: list[int]


class Changed(_Given):
    """The number of the event."""

    event: int


class Nothing(_Given):
    """An empty object."""


class Health(_Given):
    """Whether the server and its database answer, and whether it wants tokens."""

    status: Literal["ok"]
    version: str
    tokens: bool


class Who(_Given):
    """Whose token it is; ``studies`` null means all."""

    tokens: bool
    name: str | None
    role: Literal["read", "tell", "admin"]
    studies: list[str] | None


class Trace(_Given):
    """How the study went, in at most 2,000 points."""

    samples: list[int]
    cost: list[float]
    time: list[str]
    evidence: list[float | None]
    threshold: float | None


class Proportions(_Given):
    """Shares of the samples, and those that would need the fewest; else why there are none."""

    pulls: list[float]
    optimal: list[float] | None
    reason: str | None


class ProblemDetails(BaseModel):
    """What went wrong."""

    type: str
    title: str
    status: int
    detail: str
    how: str | None = None
    argument: str | None = None


class Dendrogram(_Given):
    """The tree of single linkage: arms in an order in which no branches cross, and its merges."""

    order: list[int]
    merges: list[list[float]]
    cut: float | None


class Picture(_Given):
    """Where the arms are, with regions that hold for all arms at all times at ``level``."""

    dim: int
    kind: Literal["line", "plane", "projection"]
    explained: list[float] | None
    points: list[list[float] | None]
    regions: list[list[float] | float | None]
    level: float
    dendrogram: Dendrogram | None
