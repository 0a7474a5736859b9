"""Sections with made up times."""

import pytest

from boclust.bench import growth, samples, setup1, setup2
from boclust.bench.base import Setting


class MadeUp:
    """A baseline a thousand times slower than ours, partial search twice as fast as full."""

    def timer(self, name, instance, budget, full=True):
        if name not in ("atboc", "lucbboc"):
            return None
        return lambda: 1e-3 * instance.n_arms**2 * (1 if full else 0.5)

    def whole_timer(self, name, instance, budget, delta):
        return lambda: 1e-3 * instance.n_arms**2


@pytest.fixture
def made_up(monkeypatch):
    """A setting whose times are M^2 microseconds (in whole runs twice that), times d."""

    def timer(name, instance, budget, delta=0.0):
        return lambda: 1e-6 * instance.n_arms**2 * instance.dim**0.5 * (2 if delta else 1)

    for section in (setup1, setup2, growth, samples):
        monkeypatch.setattr(section, "timer", timer)
    return lambda quick=False, baseline=True: Setting(quick, MadeUp() if baseline else None)
