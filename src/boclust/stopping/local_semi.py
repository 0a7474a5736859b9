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

    Proof. Let e be the direction of the *true* bond, fixed though unknown. For an arm only in the
    bond use the one-dimensional average along e, ``(1 + N/c)^(-1/2) exp(n_c (e . error)^2 / 2)``;
    for the rival pair (and an arm in both) the full one. The product is a supermartingale, and so
    is its average over c. If the claim is true, move the estimates of the bond arms along e until
    their components along e are the true ones, and those of the rival pair to the true means: then
    the bond is at least e . (a - b) = |true bond| >= |true rival|. This change is among those over
    which v minimises, and its cost is the exponent; so v(n_c) is at most the exponent, for each c.
    """

    name: ClassVar[str] = "local-semi"
    quadratic_only: ClassVar[bool] = True
    evidence: ClassVar[int] = LOCAL_SEMI
