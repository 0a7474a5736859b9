"""The nearest confusing instance: psi of the paper and the alternative that attains it."""

from boclust.psi.infimum import Infimum, infimum

__all__ = ["Infimum", "infimum"]
