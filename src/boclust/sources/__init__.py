"""Sources of samples: one module per source."""

from boclust.sources.base import Source, SourceExhausted, arm_keys
from boclust.sources.noise import Beta
from boclust.sources.replay import Replay
from boclust.sources.simulated import Simulated

__all__ = ["Beta", "Replay", "Simulated", "Source", "SourceExhausted", "arm_keys"]
