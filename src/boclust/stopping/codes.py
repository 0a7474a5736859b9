"""How the kernels tell the thresholds of the stopping rules apart: what they grow by."""

NO_LIFT = 0
PAPER_LIFT = 1
MIXTURE_LIFT = 2
HEURISTIC_LIFT = 3
ZETA_LIFT = 4
PENALTY_LIFT = 5
