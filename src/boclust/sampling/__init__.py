"""Which arm next: one file a rule."""

from boclust.sampling.rules import SAMPLING, Challenger, RoundRobin, Sampling

__all__ = ["SAMPLING", "Challenger", "RoundRobin", "Sampling"]
