"""How the kernels tell the kinds of sources apart."""

NORMAL = 0
BERNOULLI = 1
POISSON = 2
EXPONENTIAL = 3
BETA = 4
REPLAY = 5
REPLAY_ONCE = 6
