"""Many seeded trials."""

from boclust.simulation.engines import WorkersLost
from boclust.simulation.results import Results
from boclust.simulation.run import simulate

__all__ = ["Results", "WorkersLost", "simulate"]
