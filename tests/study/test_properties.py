"""Whatever is handed to a study: it is recorded once and exactly, or refused with nothing written.

The oracle is a list of what must be in the log, kept by the rules in the docstrings.
"""

import json
import math

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import boclust
from boclust.study import ConflictError
from boclust.study.storage import store

ARMS = ["a", 'it\'s "b"\n', "ç 東"]
texts = st.text(min_size=1, max_size=20)
plain = st.floats(-1e50, 1e50, allow_nan=False)
values = st.one_of(
    plain,
    plain.map(np.float64),
    st.integers(-(2**60), 2**60),
    st.integers(2**53 - 3, 2**53 + 3),
    st.integers(-(10**30), -(10**20)),
    st.floats(),
    st.booleans(),
    texts,
    st.none(),
    st.lists(plain, max_size=3),
)
# most are possible, so that what is wrong is mostly one thing
arms = st.one_of(
    *4 * [st.sampled_from([*ARMS, 0, 1, 2])], st.integers(-1, 3), texts, st.none(), st.floats(0, 2)
)
keys = st.one_of(*3 * [st.sampled_from([None, "k1", "k2", "k3"])], st.text(max_size=5))
json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=5,
)
metadata = st.one_of(st.none(), st.none(), st.dictionaries(texts, json_values, max_size=3))


def is_text(value):
    if not isinstance(value, str) or not value or "\0" in value:
        return False
    return not any("\ud800" <= character <= "\udfff" for character in value)


def number_of(arm):
    """The arm, or None."""
    if isinstance(arm, str):
        return ARMS.index(arm) if arm in ARMS else None
    return arm if type(arm) is int and 0 <= arm < len(ARMS) else None


def float_of(value):
    """The float that is exactly the value, or None."""
    if isinstance(value, list):
        return float_of(value[0]) if len(value) == 1 else None
    if type(value) not in (int, float, np.float64):
        return None
    exact = float(value)
    return exact if math.isfinite(exact) and exact == value and abs(exact) <= 1e60 else None


def json_of(value):
    """The mapping as it is kept, False where it cannot be."""
    if value is None:
        return None
    try:
        written = json.loads(json.dumps(value, allow_nan=False))
    except ValueError:
        return False
    return written if all(is_text(name) for name in value) else False


@pytest.mark.compiled
@settings(max_examples=40)
@given(st.lists(st.tuples(arms, values, keys, metadata), max_size=12), st.booleans())
def test_told_once_and_exactly_or_refused(told, at_once):
    store.memory.cache_clear()
    study = boclust.Study.create("sqlite://", "x", ARMS, 2, 0.1)
    kept = []
    by_key = {}
    for arm, value, key, more in told:
        row = (number_of(arm), float_of(value), key, json_of(more))
        possible = row[0] is not None and row[1] is not None and row[3] is not False
        before = by_key.get(key) if key is not None else None
        if not possible or (key is not None and not is_text(key)):
            expected = boclust.InvalidInputError
        elif before is not None and repr(before) != repr(row):
            expected = ConflictError
        else:
            expected = None
        observation = {"arm": arm, "value": value, "key": key, "metadata": more}

        def tell(arm=arm, value=value, key=key, more=more, observation=observation):
            if at_once:
                return study.tell_many([observation])
            return study.tell(arm, value, key=key, metadata=more)

        if expected is not None:
            with pytest.raises(expected):
                tell()
        else:
            tell()
            if before is None:
                kept.append(row)
                by_key[key] = row
    found = [
        (ARMS.index(event["arm"]), event["value"], event["key"], event["payload"])
        for event in study.history()
        if event["kind"] == "told"
    ]
    assert repr(found) == repr(kept)  # also tells 0.0 from -0.0
    assert study.verify().ok


@settings(max_examples=40)
@given(st.text(max_size=30), st.lists(st.text(max_size=8), min_size=2, max_size=4))
def test_names(name, names):
    store.memory.cache_clear()
    good = is_text(name) and all(is_text(one) for one in names) and len(set(names)) == len(names)
    if not good:
        with pytest.raises(boclust.InvalidInputError):
            boclust.Study.create("sqlite://", name, names, 1, 0.1)
        return
    boclust.Study.create("sqlite://", name, names, 1, 0.1)
    assert [arm.name for arm in boclust.Study.open("sqlite://", name).arms] == names
