"""What every source offers: a call for one sample, and its arguments for the kernels."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from boclust._validate import FloatArray, IntArray, KeyArray, fail, integer

if TYPE_CHECKING:  # it is for kernels, which are loaded when they are used
    from boclust.sources.draw import Supply

#: The fields of ``draw.Supply``: spread, truth, records, begin, order.
Arguments: TypeAlias = tuple[float, FloatArray, FloatArray, IntArray, IntArray]


class SourceExhausted(RuntimeError):  # noqa: N818 - a state of the source, as StopIteration
    """An arm has no samples left; the message names it and how many it had."""


def arm_keys(n_arms: int, seed: int, spawn_key: Sequence[int] = ()) -> KeyArray:
    """The keys of the arms: together with the number of a sample they determine it.

    >>> arm_keys(3, seed=0).tolist() == arm_keys(3, seed=0).tolist() != arm_keys(3, seed=1).tolist()
    True
    """
    sequence = np.random.SeedSequence(integer("seed", seed, 0), spawn_key=tuple(spawn_key))
    return np.asarray(sequence.generate_state(n_arms, np.uint64), dtype=np.uint64)


class Source(ABC):
    """Arms that can be sampled: ``source(arm)`` is the next sample of an arm.

    The samples of an arm depend on its key and on how many it has given, and neither on the other
    arms nor on the order of the calls. Whole simulated trials read the same samples by
    ``kernel_arguments``.
    """

    def __init__(self, names: Sequence[str], dim: int, seed: int) -> None:
        #: What the arms are called; their numbers where they have no names.
        self.names = tuple(names)
        #: d, the dimension of a sample.
        self.dim = dim
        self.reset(seed)

    @property
    def n_arms(self) -> int:
        """M."""
        return len(self.names)

    @property
    def given(self) -> IntArray:
        """How many samples each arm has given."""
        return self._given.copy()

    def reset(self, seed: int | None = None, keys: Any = None) -> None:
        """Begin again: with the samples of a seed, of the arms' keys, or with the same ones."""
        if seed is not None and keys is not None:
            raise fail("keys", "is given together with a seed", "one of both")
        if seed is not None:
            self._keys = arm_keys(self.n_arms, seed)
        elif keys is not None:
            self._keys = self._check_keys(keys)
        self._given = np.zeros(self.n_arms, dtype=np.int64)
        self._arguments: Supply | None = None

    def __call__(self, arm: int) -> float | FloatArray:
        """The next sample of ``arm``: a number, or an array where d > 1."""
        from boclust.sources.draw import sampler

        a = integer("arm", arm, 0, self.n_arms - 1)
        if self._arguments is None:
            self._arguments = self.kernel_arguments(self._keys)
        number = int(self._given[a])
        value = np.empty(self.dim)
        draw = sampler(self.kind, self.dim)
        if not draw(self._arguments, self._keys[a], a, number, value):
            raise SourceExhausted(f"{self._label(a)} has given all of its {number} records")
        self._given[a] += 1
        return float(value[0]) if self.dim == 1 else value

    @property
    def is_keyed(self) -> bool:
        """Whether ``kernel_arguments`` differ from trial to trial."""
        return False

    def kernel_arguments(self, keys: Any) -> "Supply":
        """What the samples of a trial with these ``keys`` depend on."""
        from boclust.sources.draw import Supply

        spread, truth, records, begin, order = self._kernel_arguments(self._check_keys(keys))
        return Supply(spread=spread, truth=truth, records=records, begin=begin, order=order)

    @property
    @abstractmethod
    def kind(self) -> str:
        """How samples are drawn: the name of a kernel of ``sources.draw``."""

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all that samples depend on beside the seed."""
        digest = hashlib.sha256()
        for part in (self.kind, *self._kernel_arguments(arm_keys(self.n_arms, 0))):
            digest.update(repr(part).encode() if np.isscalar(part) else np.asarray(part).tobytes())
        return digest.hexdigest()

    @abstractmethod
    def _kernel_arguments(self, keys: KeyArray) -> Arguments:
        """The fields of ``draw.Supply`` for the keys of a trial."""

    def _check_keys(self, keys: Any) -> KeyArray:
        array = np.asarray(keys)
        if array.shape != (self.n_arms,) or array.dtype != np.uint64:
            raise fail(
                "keys",
                f"has shape {array.shape} and dtype {array.dtype}",
                f"{self.n_arms} numbers of dtype uint64, one for each arm",
            )
        return np.array(array)

    def _label(self, arm: int) -> str:
        return arm_label(arm, self.names[arm])


def arm_label(arm: int, name: str) -> str:
    """An arm for a message: its number, and its name where it has one."""
    return f"arm {arm}" if name == str(arm) else f"arm {arm} ({name!r})"
