"""The interface of all sources: a call for one sample, and arguments for the kernels."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from boclust._validate import FloatArray, IntArray, KeyArray, integer, invalid

if TYPE_CHECKING:  # kernels are loaded on first use
    from boclust.sources.draw import Supply

#: The fields of ``draw.Supply``: spread, truth, records, begin, order.
Arguments: TypeAlias = tuple[float, FloatArray, FloatArray, IntArray, IntArray]


class SourceExhausted(RuntimeError):  # noqa: N818 - a state of the source, as StopIteration
    """An arm has no samples left; the message names the arm and the number of its records."""


def arm_keys(n_arms: int, seed: int, spawn_key: Sequence[int] = ()) -> KeyArray:
    """One key per arm; a key and the number of a sample determine the sample.

    >>> arm_keys(3, seed=0).tolist() == arm_keys(3, seed=0).tolist() != arm_keys(3, seed=1).tolist()
    True
    """
    sequence = np.random.SeedSequence(integer("seed", seed, 0), spawn_key=tuple(spawn_key))
    return np.asarray(sequence.generate_state(n_arms, np.uint64), dtype=np.uint64)


class Source(ABC):
    """Arms that can be sampled: ``source(arm)`` returns the next sample of an arm.

    A sample depends on the arm's key and on the number of samples that the arm has given before. It
    depends neither on the other arms nor on the order of the calls. Simulated trials read the same
    samples through ``kernel_arguments``.
    """

    def __init__(self, names: Sequence[str], dim: int, seed: int) -> None:
        #: The names of the arms; their numbers if they have no names.
        self.names = tuple(names)
        #: The dimension d of a sample.
        self.dim = dim
        self.reset(seed)

    @property
    def n_arms(self) -> int:
        """The number of arms M."""
        return len(self.names)

    @property
    def given(self) -> IntArray:
        """The number of samples that each arm has given."""
        return self._given.copy()

    def reset(self, seed: int | None = None, keys: Any = None) -> None:
        """Start again with the samples of a seed or of keys; by default, with the same samples."""
        if seed is not None and keys is not None:
            raise invalid("keys", "None if a seed is given", "both")
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
        draw = sampler(self.kind)
        if not draw(self._arguments, self._keys[a], a, number, value):
            raise SourceExhausted(f"{self._label(a)} has given all of its {number} records")
        self._given[a] += 1
        return float(value[0]) if self.dim == 1 else value

    @property
    def is_keyed(self) -> bool:
        """Whether each trial needs ``kernel_arguments`` of its own."""
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

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_arguments": None}  # made anew in another process

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all that samples depend on, except for the seed."""
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
            accepted = f"{self.n_arms} numbers of type uint64, one per arm"
            raise invalid("keys", accepted, f"shape {array.shape} and type {array.dtype}")
        return np.array(array)

    def _label(self, arm: int) -> str:
        return arm_label(arm, self.names[arm])


def arm_label(arm: int, name: str) -> str:
    """An arm in a message: its number, and its name if it has one."""
    return f"arm {arm}" if name == str(arm) else f"arm {arm} ({name!r})"
