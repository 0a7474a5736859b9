"""Settings and fixtures of all tests."""

import os

import hypothesis
import numpy as np
import pytest

EXAMPLES = 4 if "NUMBA_DISABLE_JIT" in os.environ else 60
hypothesis.settings.register_profile(
    "boclust", deadline=None, derandomize=True, max_examples=EXAMPLES
)
hypothesis.settings.load_profile("boclust")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20261115)
