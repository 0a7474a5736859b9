"""What the kernels know of an adaptive run: its rules, and everything learnt so far.

Samples of Gaussian, sub-Gaussian and bounded arms come in units of sigma, those of one-parameter
families as they are. Every run has the same parts, so that kernels are compiled once; what its
rules do not need has no entries.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from boclust._reference import by_reference, leaves
from boclust._validate import BoolArray, FloatArray, IntArray


@by_reference
class Rules(NamedTuple):
    """What governs a run, in numbers: see the codes of ``sampling``, ``stopping``, ``families``."""

    sampling: int
    evidence: int
    lift: int
    family: int
    in_mean: bool
    #: The parameter of the stopping rule: c, zeta, or the samples of each arm.
    parameter: float
    #: For sampling rules that look at confidence intervals.
    delta: float
    #: Intervals, and BOC's threshold, that do not grow with the counts: log(1/delta) as it is.
    constant: bool


class Kin(NamedTuple):
    """One-parameter families: the sample means themselves, and what their mixtures cost."""

    raw: FloatArray  # on the boundary of the parameter space perhaps
    raw_places: FloatArray  # infinite perhaps
    penalties: FloatArray


class Bets(NamedTuple):
    """Samples in [0, 1]^d: what gamblers have won on each arm (``bounded_`` and ``cube_kernels``).

    For d = 1 an arm has two sides of gamblers, for d > 1 one.
    """

    totals: FloatArray  # d = 1
    spreads: FloatArray  # squared errors of prediction
    gains: FloatArray  # M x 2 x gamblers; d > 1: M x (d + 1) x gamblers
    stakes: FloatArray  # M x sides x gamblers
    tallies: FloatArray  # M x d x 3 x gamblers, d > 1


class Band(NamedTuple):
    """Confidence intervals [place - below, place + above] of the arms."""

    below: FloatArray
    above: FloatArray


class Glr(NamedTuple):
    """Z(t) for d = 1: the alternative that was nearest when it was last computed."""

    nearest: FloatArray
    labels: IntArray  # the clusters it is an alternative to; -1: none
    weights: FloatArray  # work space


class Track(NamedTuple):
    """Tracking: the optimal proportions, and the alternatives kept from step to step."""

    aims: FloatArray  # what the counts should be proportional to
    shares: FloatArray  # the optimal proportions at present
    labels: IntArray  # the clusters that the kept alternatives contradict
    cuts: FloatArray  # capacity x M x d, the alternatives
    n_cuts: IntArray  # (1,)
    costs: FloatArray  # capacity x M, what a sample of each arm tells against them
    mixture: FloatArray  # capacity, the weights of the alternatives in the last game
    # work space
    trial: FloatArray  # 4 x M
    table: FloatArray
    basis: IntArray


class Rounds(NamedTuple):
    """Rules that go in rounds: BOC-ELIM and MaxGap."""

    owed: FloatArray  # samples still to take in this round
    status: IntArray  # M x 2
    done: IntArray  # (1,)
    limits: FloatArray  # 2 x M, work space


class Peer(NamedTuple):
    """BOC and BOC-SLINK: clusters with one mean each, and the proportions for them."""

    shares: FloatArray
    # work space
    centres: FloatArray  # K x d
    totals: FloatArray  # K
    least: FloatArray  # K
    sizes: IntArray  # K
    matrices: FloatArray
    vectors: FloatArray


class Crowd(NamedTuple):
    """Many arms: the spanning trees of the clusters, and the plan until the next look."""

    clock: IntArray  # see WAIT ... PLANNED
    ends: IntArray  # bonds x 2
    rivals: IntArray  # bonds x 2, the hardest rival pair known
    scores: FloatArray  # bonds, against that pair
    plan: IntArray  # the next arms ...
    turns: FloatArray  # ... and the samples that each will have then
    witness: IntArray  # like ``Run.suspect``


#: Places in ``Crowd.clock``: samples until the next look, samples between looks, whether the last
#: sample led to a look, arms in the plan.
WAIT, PACE, FRESH, PLANNED = range(4)


@by_reference
class Run(NamedTuple):
    """Everything learnt so far; arrays over arms unless said otherwise."""

    # the samples
    counts: FloatArray
    pulls: FloatArray  # counts, and what has been asked for besides: set before an arm is chosen
    sample: FloatArray  # d, the one that is being taken in
    sums: FloatArray  # M x d
    scatter: FloatArray  # d x d, squares of samples around the means of their arms; learners only
    # what follows from them for each arm: see ``settle``
    means: FloatArray  # M x d, estimates inside the parameter space
    places: FloatArray  # M x d, where single linkage sees them
    gaps: FloatArray  # M x M, distances between places; none for a crowd or in rounds
    noise: FloatArray  # variance of a place
    inverse: FloatArray  # the same under the challenger's prior
    logs: FloatArray  # log(1 + N/c) of the challenger's prior
    lifts: FloatArray  # what a global rule's threshold grows by with the samples of the arm
    # clusters: arms[start[k]:start[k + 1]] is cluster k
    labels: IntArray
    arms: IntArray
    start: IntArray  # K + 1
    # what the sampling rule doubts
    tree: IntArray
    quad: IntArray  # (a, b, m, n)
    suspect: IntArray  # (an arm of a cluster, m, n): a link that is likely to be weak
    # work space
    work: FloatArray
    parent: IntArray
    side: BoolArray
    chosen: IntArray  # 4
    # what only some rules need
    kin: Kin
    bets: Bets
    band: Band
    glr: Glr
    track: Track
    rounds: Rounds
    peer: Peer
    crowd: Crowd


#: The rules as the kernels call them: see ``engine_kernels``.
Take = Callable[[Rules, Run, int], None]
Look = Callable[[Rules, Run], None]
Pick = Callable[[Rules, Run], int]
Evidence = Callable[[Rules, Run, int, int, int, int], float]
Standing = Callable[[Rules, Run, Evidence, float], float]


@by_reference
class Calls(NamedTuple):
    """What a run calls at each step."""

    take: Take
    look: Look
    pick: Pick
    standing: Standing
    evidence: Evidence


#: What must be kept to go on exactly as before; everything else follows from it (``settle``) or is
#: work space.
DURABLE = (
    "counts", "sums", "scatter", "labels", "arms", "start", "tree", "quad", "suspect",
    "bets.totals", "bets.spreads", "bets.gains", "bets.stakes", "bets.tallies", "glr.nearest",
    "glr.labels", "track.aims", "track.shares", "track.labels", "track.cuts", "track.n_cuts",
    "track.mixture", "rounds.owed", "rounds.status", "rounds.done", "peer.shares",
    "crowd.clock", "crowd.ends", "crowd.rivals", "crowd.plan", "crowd.turns", "crowd.witness",
)  # fmt: skip


class Parts(NamedTuple):
    """Which parts of a run its rules use."""

    kin: bool = False
    gamblers: int = 0
    band: bool = False
    glr: bool = False
    cuts: int = 0
    rounds: bool = False
    peer: bool = False
    #: Samples between two looks at a crowd; 0: no crowd, but a matrix of gaps.
    pace: int = 0
    scatter: bool = False


def new_run(n_arms: int, dim: int, n_clusters: int, parts: Parts) -> Run:
    """A run without samples."""
    m, k = n_arms, n_clusters

    def zeros(*shape: int, used: bool = True) -> FloatArray:
        return np.zeros(shape if used else (0,) * len(shape))

    def whole(*shape: int, used: bool = True) -> IntArray:
        return np.zeros(shape if used else (0,) * len(shape), dtype=np.int64)

    crowd, bonds = parts.pace > 0, m - k
    tracks, rounds, peer = parts.cuts > 0, parts.rounds, parts.peer
    capacity, gamblers, bets = parts.cuts, parts.gamblers, parts.gamblers > 0
    return Run(
        counts=zeros(m), pulls=zeros(m), sample=zeros(dim), sums=zeros(m, dim),
        scatter=zeros(dim, dim, used=parts.scatter), means=zeros(m, dim), places=zeros(m, dim),
        gaps=zeros(m, m, used=not (crowd or rounds)),
        noise=zeros(m), inverse=zeros(m), logs=zeros(m), lifts=zeros(m),
        labels=whole(m), arms=whole(m), start=whole(k + 1),
        tree=whole(m), quad=whole(4), suspect=whole(3),
        work=zeros(m), parent=whole(m), side=np.zeros(m, dtype=np.bool_), chosen=whole(4),
        kin=Kin(*(zeros(m, used=parts.kin) for _ in range(3))),
        bets=Bets(
            zeros(m, used=bets and dim == 1), zeros(m, used=bets),
            zeros(m, dim + 1, gamblers, used=bets),
            zeros(m, 2 if dim == 1 else 1, gamblers, used=bets),
            zeros(m, dim, 3, gamblers, used=bets and dim > 1),
        ),
        band=Band(*(zeros(m, used=parts.band) for _ in range(2))),
        glr=Glr(
            zeros(m, used=parts.glr), whole(m, used=parts.glr) - 1, zeros(m, used=parts.glr)
        ),
        track=Track(
            zeros(m, used=tracks), zeros(m, used=tracks) + 1 / m, whole(m, used=tracks) - 1,
            zeros(capacity, m, dim, used=tracks), whole(1), zeros(capacity, m, used=tracks),
            zeros(capacity), zeros(4, m, used=tracks), zeros(m + 2, capacity + 3, used=tracks),
            whole(m + capacity, used=tracks),
        ),
        rounds=Rounds(
            zeros(m, used=rounds) + 1.0, whole(m, 2, used=rounds), whole(1),
            zeros(2, m, used=rounds),
        ),
        peer=Peer(
            zeros(m, used=peer), zeros(k, dim, used=peer), zeros(k, used=peer),
            zeros(k, used=peer), whole(k, used=peer), zeros(4, k, k, used=peer),
            zeros(4, k, used=peer),
        ),
        crowd=Crowd(
            np.array([0, parts.pace, 0, 0] if crowd else [], dtype=np.int64),
            whole(bonds, 2, used=crowd), whole(bonds, 2, used=crowd), zeros(bonds, used=crowd),
            whole(m, used=crowd), zeros(m, used=crowd), whole(3, used=crowd),
        ),
    )  # fmt: skip


class Desk(NamedTuple):
    """Where one trial after the other is run: a run whose arrays all lie in one block of memory."""

    run: Run
    block: IntArray
    blank: IntArray  # what the block holds before the first sample


#: Words on either side of a block: threads that write to one cache line wait for each other.
_MARGIN = 16


def new_desk(run: Run) -> Desk:
    """A desk for runs that begin like this one."""
    words = [-(-array.nbytes // 8) for array in leaves(run)]
    memory = np.zeros(sum(words) + 2 * _MARGIN, dtype=np.int64)
    block = memory[_MARGIN:-_MARGIN]
    pieces = iter(np.split(block, np.cumsum(words)[:-1]))

    def moved(part: Any) -> Any:
        if isinstance(part, tuple):
            return type(part)(*map(moved, part))
        piece = next(pieces).view(part.dtype)[: part.size].reshape(part.shape)
        piece[...] = part
        return piece

    return Desk(moved(run), block, block.copy())


def durable(run: Run) -> dict[str, FloatArray | IntArray]:
    """The arrays that must be kept to go on exactly as before, by name."""
    found = {}
    for name in DURABLE:
        part, _, inner = name.partition(".")
        array = getattr(getattr(run, part), inner) if inner else getattr(run, part)
        if array.size > 0:
            found[name] = array
    return found
