"""Settings and fixtures of all tests."""

import hypothesis
import numpy as np
import pytest

hypothesis.settings.register_profile("boclust", deadline=None, derandomize=True, max_examples=60)
hypothesis.settings.load_profile("boclust")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20261115)
