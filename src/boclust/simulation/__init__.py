"""Many seeded trials of algorithms on simulated or recorded samples."""

from boclust.simulation._simulate import simulate
from boclust.simulation.engines import WorkersLost
from boclust.simulation.results import Results

__all__ = ["Results", "WorkersLost", "simulate"]
