"""Recorded samples, drawn again."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from boclust._validate import LARGEST, FloatArray, IntArray, KeyArray, fail, finite_array, shown
from boclust.problem.families import Family, Gaussian, check_family
from boclust.problem.instance import Instance
from boclust.sources.base import Arguments, Source, arm_label

_ACCEPTED = (
    "a mapping from names to arrays, or a sequence of arrays: one for each of at least 2 arms, "
    "each with at least one record, of n numbers or n x d, with the same d"
)


class Replay(Source):
    """Arms whose samples are records of real ones.

    Parameters
    ----------
    records:
        A mapping from the arms' names to arrays, or a sequence of arrays; n numbers each or n x d.
    replace:
        Whether a record may be drawn again and again. Then the samples of an arm are independent
        and their mean is that of its records; otherwise each is given once, and
        ``SourceExhausted`` is raised when none is left.
    shuffle:
        Without replacement: in random order, or (False) as recorded.
    seed:
        What is drawn is a function of it, the arm and the number of the sample.

    >>> source = Replay({"north": [1.0, 2.0], "south": [7.0]}, replace=False, shuffle=False)
    >>> source.names, source.counts.tolist()
    (('north', 'south'), [2, 1])
    >>> source(0), source(0)
    (1.0, 2.0)
    >>> source(0)
    Traceback (most recent call last):
        ...
    boclust.sources.base.SourceExhausted: arm 0 ('north') has given all of its 2 records
    """

    def __init__(
        self, records: Any, replace: bool = True, shuffle: bool = True, seed: int = 0
    ) -> None:
        self.replace = _flag("replace", replace)
        self.shuffle = _flag("shuffle", shuffle)
        if self.replace and not self.shuffle:
            raise fail("shuffle", "is False with replace=True", "False only with replace=False")
        names, arms = check_records(records)
        self._records = np.concatenate(arms)
        self._begin = np.cumsum([0, *(len(arm) for arm in arms)], dtype=np.int64)
        self._means = np.stack([arm.mean(axis=0) for arm in arms])
        super().__init__(names, self._records.shape[1], seed)

    @property
    def counts(self) -> IntArray:
        """How many records each arm has."""
        return np.diff(self._begin)

    def instance(self, n_clusters: int, family: Family | None = None) -> Instance:
        """The instance whose means are those of the records, all of which must fit the family."""
        assumed = Gaussian() if family is None else check_family(family)
        assumed.check_samples(self._records, "records")
        return Instance(self._means, n_clusters, assumed)

    @property
    def is_keyed(self) -> bool:
        """Records that are given once have an order of their own in each trial."""
        return not self.replace and self.shuffle

    @property
    def kind(self) -> str:
        """Records, drawn with replacement or once each."""
        return "replay" if self.replace else "replay-once"

    def _kernel_arguments(self, keys: KeyArray) -> Arguments:
        order = np.arange(0 if self.replace else len(self._records), dtype=np.int64)
        if self.is_keyed:
            from boclust.sources.draw import shuffle

            shuffle(self._begin, keys, order)
        return 0.0, self._means, self._records, self._begin, order


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise fail(name, f"is {shown(value)}", "True or False")
    return bool(value)


def check_records(records: Any) -> tuple[list[str], list[FloatArray]]:
    """The names of the arms and the records of each, n x d."""
    if isinstance(records, Mapping):
        names, values = [str(name) for name in records], list(records.values())
    elif isinstance(records, Sequence) or (isinstance(records, np.ndarray) and records.ndim > 1):
        names, values = [str(arm) for arm in range(len(records))], list(records)
    else:
        raise fail("records", f"is {shown(records)}", _ACCEPTED)
    if len(values) < 2:
        raise fail("records", f"has {len(values)} arms", _ACCEPTED)
    arms: list[FloatArray] = []
    for i, value in enumerate(values):
        arms.append(_check_arm(f"records of {arm_label(i, names[i])}", value))
        if arms[i].shape[1] != arms[0].shape[1]:
            raise fail(
                "records",
                f"has d = {arms[i].shape[1]} for {arm_label(i, names[i])} and "
                f"d = {arms[0].shape[1]} for {arm_label(0, names[0])}",
                _ACCEPTED,
            )
    return names, arms


def _check_arm(name: str, value: Any) -> FloatArray:
    array = finite_array(name, value, _ACCEPTED)
    if array.size == 0:
        raise fail(name, "is empty", _ACCEPTED)
    if array.ndim not in (1, 2):
        raise fail(name, f"has {array.ndim} dimensions", _ACCEPTED)
    array = array.reshape(len(array), -1)
    large = np.abs(array) > LARGEST
    if large.any():
        row = int(np.argwhere(large)[0][0])
        raise fail(
            name, f"is {array[large][0]:g} at index {row}", f"numbers up to {LARGEST:g} in size"
        )
    return array
