"""Forced exploration, which all rules but those that go in rounds share."""

from abc import ABC, abstractmethod
from typing import Any


class Exploring(ABC):
    """Asks for the least sampled arm while it has fewer than sqrt(t / M) samples (Algorithm 1)."""

    counts: Any

    def ask(self) -> int:
        """The next arm."""
        return self.candidates()[0]

    def candidates(self) -> list[int]:
        """The arms that the rule does not prefer to each other; forced exploration first."""
        least = int(self.counts.argmin())
        n, t = self.counts[least], self.counts.sum()
        if n == 0 or n * n * len(self.counts) < t:
            return [least]
        return self.pick()

    @abstractmethod
    def pick(self) -> list[int]:
        """The sampling rule."""
