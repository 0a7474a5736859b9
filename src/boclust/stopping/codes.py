"""How the kernels tell the stopping rules apart."""

#: The evidence against a claim: closed forms by their code, anything else by a pointer.
BY_POINTER = 0
LOCAL = 1
LOCAL_SEMI = 2
LOCAL_DIRECTIONAL = 3
GLOBAL = 4

#: What a threshold grows by with the samples.
NO_LIFT = 0
PAPER_LIFT = 1
MIXTURE_LIFT = 2
HEURISTIC_LIFT = 3
ZETA_LIFT = 4
PENALTY_LIFT = 5
