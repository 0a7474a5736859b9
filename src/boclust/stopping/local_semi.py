"""``local-semi``: bond arms pay for one direction only."""

from dataclasses import dataclass
from typing import ClassVar

from boclust.stopping.certificate import Certificate
from boclust.stopping.codes import LOCAL_SEMI


@dataclass(frozen=True)
class LocalSemi(Certificate):
    """Like ``local``, but an arm that is only in the bond costs 1/2 instead of d/2.

    ``log sum_c (1/4) exp(v(n_c) - cost_c)`` over c in {1, 4, 16, 64} with
    ``cost_c = 1/2 sum log(1 + N/c)`` over arms only in the bond ``+ d/2 sum log(1 + N/c)`` over
    the rival pair.

    A bond arm's noise matters only along the *true* bond, whose direction is fixed though unknown.
    """

    name: ClassVar[str] = "local-semi"
    quadratic_only: ClassVar[bool] = True
    evidence: ClassVar[int] = LOCAL_SEMI
