"""Recorded samples as a source."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from boclust._validate import LARGEST, FloatArray, IntArray, KeyArray, finite_array, invalid, shown
from boclust.problem.families import Family, Gaussian, check_family
from boclust.problem.instance import Instance
from boclust.sources.base import Arguments, Source, arm_label

_RECORDS = "a mapping from names to arrays, or a sequence of arrays, for at least 2 arms"
_ARM = "n >= 1 finite numbers, or an n x d table of finite numbers"


class Replay(Source):
    """Arms whose samples are recorded samples.

    Parameters
    ----------
    records:
        A mapping from the arms' names to arrays, or a sequence of arrays. Each array has n numbers
        or shape n x d.
    replace:
        Whether to draw with replacement. Then the samples of an arm are independent, and their
        mean is that of its records. Otherwise, each record is drawn once, and ``SourceExhausted``
        is raised when none is left.
    shuffle:
        Without replacement: whether to draw in random order (True) or as recorded (False).
    seed:
        A sample is a function of the seed, the arm and the number of the sample.

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
            raise invalid("shuffle", "True if replace is True", False)
        names, arms = check_records(records)
        self._records = np.concatenate(arms)
        self._begin = np.cumsum([0, *(len(arm) for arm in arms)], dtype=np.int64)
        self._means = np.stack([arm.mean(axis=0) for arm in arms])
        super().__init__(names, self._records.shape[1], seed)

    @property
    def counts(self) -> IntArray:
        """The number of records of each arm."""
        return np.diff(self._begin)

    def instance(self, n_clusters: int, family: Family | None = None) -> Instance:
        """The instance with the means of the records; all records must fit the family."""
        assumed = Gaussian() if family is None else check_family(family)
        assumed.check_samples(self._records, "records")
        return Instance(self._means, n_clusters, assumed)

    @property
    def is_keyed(self) -> bool:
        """True if records are drawn once, in an order that differs between trials."""
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
        raise invalid(name, "True or False", shown(value))
    return bool(value)


def check_records(records: Any) -> tuple[list[str], list[FloatArray]]:
    """The names of the arms, and the records of each as an n x d array."""
    if isinstance(records, Mapping):
        names, values = [str(name) for name in records], list(records.values())
    elif isinstance(records, Sequence) or (isinstance(records, np.ndarray) and records.ndim > 1):
        names, values = [str(arm) for arm in range(len(records))], list(records)
    else:
        raise invalid("records", _RECORDS, shown(records))
    if len(values) < 2:
        raise invalid("records", _RECORDS, f"{len(values)} arm{'s' * (len(values) != 1)}")
    arms: list[FloatArray] = []
    for i, value in enumerate(values):
        arms.append(_check_arm(f"records of {arm_label(i, names[i])}", value))
        if arms[i].shape[1] != arms[0].shape[1]:
            first, other = ((arms[j].shape[1], arm_label(j, names[j])) for j in (0, i))
            got = f"d = {first[0]} for {first[1]} and d = {other[0]} for {other[1]}"
            raise invalid("records", "arrays with the same d", got)
    return names, arms


def _check_arm(name: str, value: Any) -> FloatArray:
    array = finite_array(name, value, _ARM)
    if array.size == 0 or array.ndim not in (1, 2):
        raise invalid(name, _ARM, f"shape {array.shape}")
    array = array.reshape(len(array), -1)
    large = np.abs(array) > LARGEST
    if large.any():
        row = int(np.argwhere(large)[0][0])
        raise invalid(name, f"at most {LARGEST:g} in size", f"{array[large][0]:g} at index {row}")
    return array
