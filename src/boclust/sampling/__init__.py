"""Which arm next: one file a rule."""

from boclust.sampling.rules import (
    SAMPLING,
    Challenger,
    Lucb,
    LucbUpper,
    RoundRobin,
    Sampling,
)

__all__ = ["SAMPLING", "Challenger", "Lucb", "LucbUpper", "RoundRobin", "Sampling"]
