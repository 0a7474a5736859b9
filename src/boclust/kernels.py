"""The only module that knows Numba: kernels, structs shared by reference, and their cache.

``@kernel`` compiles a function on first use. A ``Struct`` is a class with typed fields that kernels
receive by reference; its methods are kernels too. ``first_class`` turns a kernel into a value that
another kernel can be handed and call.

With ``NUMBA_DISABLE_JIT=1`` kernels are plain functions and structs are plain objects.
"""
# mypy: allow-untyped-calls

from __future__ import annotations

import atexit
import functools
import hashlib
import json
import os
import platform
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import (
    Annotated,
    Any,
    ClassVar,
    TypeVar,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

import numba
import numpy as np
from numba import types
from numba.experimental import structref
from numba.extending import intrinsic, overload_attribute, overload_method

from boclust._files import appearing
from boclust._validate import BoolArray, FloatArray, IntArray, KeyArray

__all__ = [
    "PLAIN", "Struct", "b1", "cache_folder", "copy_matrix", "copy_vector", "f1", "f2", "f3", "f4",
    "first_class", "i1", "i2", "in_one_block", "inlined", "inner_kernel", "is_own", "k1", "k2",
    "kernel", "scratch", "seal", "uncached",
]  # fmt: skip

F = TypeVar("F", bound=Callable[..., Any])
S = TypeVar("S", bound="Struct")

#: Whether kernels run as plain Python.
PLAIN = bool(cast(Any, numba.config).DISABLE_JIT)
_PACKAGE = Path(__file__).parent


# --- the cache of compiled kernels ----------------------------------------------------------------

_SEALS = "checksums.json"
#: The folders with kernels.
_COMPILED = (
    "evidence", "many_arms", "problem", "psi", "run", "sampling", "sources", "stopping",
)  # fmt: skip


@functools.cache
def cache_folder() -> Path | None:
    """The folder for compiled kernels; None if there is no folder that can be trusted.

    A folder of its own for each version of the sources: Numba does not notice that a function which
    a kernel calls has changed. ``BOCLUST_CACHE_DIR`` or ``XDG_CACHE_HOME`` moves it.
    """
    root = os.environ.get("BOCLUST_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    try:
        folder = (Path(root) if root else Path.home() / ".cache") / "boclust"
        folder = folder.absolute() / f"kernels-{sources_hash()}"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not _is_private(folder):
            return None
        _drop_damaged(folder)
    except (OSError, RuntimeError):  # RuntimeError: the home directory is unknown
        return None
    return folder


def sources_hash() -> str:
    """A hash of the sources in the folders with kernels, of Numba, Python and the machine."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version} {platform.machine()}".encode())
    sources = (source for name in _COMPILED for source in (_PACKAGE / name).rglob("*.py"))
    for source in sorted([_PACKAGE / "kernels.py", *sources]):
        name = source.relative_to(_PACKAGE).as_posix()
        digest.update(name.encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


def _is_private(folder: Path) -> bool:
    """Whether the folder belongs to this user, who alone may write to it."""
    found = folder.stat()
    mine = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
    others = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return mine and not others and os.access(folder, os.W_OK | os.X_OK)


def _drop_damaged(folder: Path) -> None:
    """Remove every file that differs from its checksum: Numba loads machine code unchecked."""
    seals = _read_seals(folder)
    for name, file in _files(folder).items():
        if seals.get(name) != _checksum(file):
            file.unlink(missing_ok=True)


def seal() -> None:
    """Write the checksums of the compiled kernels; unsealed files are removed at the next start."""
    folder = cache_folder()
    if folder is None or PLAIN:
        return
    with suppress(OSError):  # a full disk costs time at the next start
        seals = {name: _checksum(file) for name, file in _files(folder).items()}
        if seals != _read_seals(folder):
            with appearing(folder / _SEALS) as part:
                part.write_text(json.dumps(seals), encoding="utf-8")


def _read_seals(folder: Path) -> dict[str, str]:
    try:
        seals = json.loads((folder / _SEALS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return seals if isinstance(seals, dict) else {}


def _files(folder: Path) -> dict[str, Path]:
    """Numba's files by name: for each kernel an index (nbi) and code (nbc) for each signature."""
    return {f.relative_to(folder).as_posix(): f for f in folder.rglob("*.nb[ci]") if f.is_file()}


def _checksum(file: Path) -> str:
    try:
        found = file.stat()
        return _checksum_at(file, found.st_mtime_ns, found.st_size)
    except FileNotFoundError:  # another process removed it
        return ""


@functools.cache
def _checksum_at(file: Path, time: int, size: int) -> str:
    """The checksum of a file as it was at a time; most files do not change in one process."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _is_cached(file: str) -> bool:
    """Only this package's own kernels: of others, Numba would not notice a changed helper."""
    return not PLAIN and Path(file).is_relative_to(_PACKAGE) and cache_folder() is not None


def _decorated(decorator: Callable[..., Any], cached: bool) -> Callable[..., Any]:
    """A decorator of Numba that places the cache of a function, if it has one, in our folder.

    Numba reads the setting when it decorates a function. It is put back at once, so that other
    packages keep their own.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        settings = cast(Any, numba.config)
        before = settings.CACHE_DIR
        settings.CACHE_DIR = str(cache_folder()) if cached else before
        try:
            return decorator(cache=cached)(function)
        finally:
            settings.CACHE_DIR = before

    return decorate


if not PLAIN and cache_folder() is not None:
    atexit.register(seal)


# --- kernels --------------------------------------------------------------------------------------

#: Without the GIL; a division by zero gives an infinity or NaN, as in NumPy, not an exception.
_SETTINGS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def kernel(function: F) -> F:
    """Compile ``function`` on first use: without the GIL, IEEE arithmetic, cached on disk."""
    return _compiled(function, _is_cached(function.__code__.co_filename))


def inner_kernel(function: F) -> F:
    """A kernel for other kernels that is handed functions or structs of any kind: never cached.

    Numba's cache lists the types that a kernel was compiled for. A type from a user's own module
    would make the list unreadable for every process without that module.
    """
    return _compiled(function, False)


def inlined(function: F) -> F:
    """A kernel that becomes part of every kernel that calls it, as if it were written there.

    For what runs for every sample or every pair of arms: a call passes seven numbers for each
    array, and counts the references to each struct.
    """
    return cast(F, numba.njit(**_SETTINGS, inline="always")(function))


def uncached(function: F) -> F:
    """The same kernel for arguments of types from outside this package; see ``inner_kernel``."""
    return cast(F, _uncached(getattr(function, "py_func", function)))


@functools.cache
def _uncached(function: Callable[..., Any]) -> Any:
    return _compiled(function, False)


def _compiled(function: F, cached: bool) -> F:
    return cast(F, _decorated(functools.partial(numba.njit, **_SETTINGS), cached)(function))


def first_class(function: Callable[..., Any], result: Any, *arguments: Any) -> Any:
    """``function`` as a value that kernels can be handed, compiled once for all its callers.

    ``result`` and ``arguments`` are examples of what it returns and takes.
    """
    if PLAIN:
        return function
    plain = getattr(function, "py_func", function)
    signature = _typeof(result)(*map(_typeof, arguments))
    return _first_class(plain, signature, all(map(is_own, (plain, *arguments))))


#: First-class functions that take types from outside this package.
_FOREIGN: list[Any] = []


@functools.cache
def _first_class(function: Callable[..., Any], signature: Any, own: bool) -> Any:
    cached = own and cache_folder() is not None
    settings = {"error_model": _SETTINGS["error_model"]}
    made = _decorated(functools.partial(numba.cfunc, signature, **settings), cached)(function)
    if not own:
        _FOREIGN.append(made)
    if made.cache_hits == 0:
        seal()
    return made


def _typeof(example: Any) -> Any:
    return types.void if example is None else cast(Any, numba.typeof)(example)


def is_own(value: Any) -> bool:
    """Whether a value is of types of this package (or of none in particular, as an array is)."""
    if isinstance(value, Struct):
        own = type(value).__module__.startswith("boclust.")
        return own and all(map(is_own, vars(value).values()))
    if any(value is one for one in _FOREIGN):
        return False
    plain = getattr(value, "py_func", getattr(value, "__wrapped__", value))
    code = getattr(plain, "__code__", None)
    return code is None or Path(code.co_filename).is_relative_to(_PACKAGE)


# --- structs --------------------------------------------------------------------------------------

#: Fields that are arrays: their elements (float, int, bool, key) and their number of axes.
f1 = Annotated[FloatArray, 1]
f2 = Annotated[FloatArray, 2]
f3 = Annotated[FloatArray, 3]
f4 = Annotated[FloatArray, 4]
i1 = Annotated[IntArray, 1]
i2 = Annotated[IntArray, 2]
b1 = Annotated[BoolArray, 1]
k1 = Annotated[KeyArray, 1]
k2 = Annotated[KeyArray, 2]
_DTYPES = {FloatArray: np.float64, IntArray: np.int64, BoolArray: np.bool_, KeyArray: np.uint64}

#: The field of every struct that holds the address and shape of each of its arrays.
_PLACES = "places"

#: Marks a field that is not saved: work space, or what ``observe`` computes anew from the samples.
scratch: Any = object()


@dataclass_transform(kw_only_default=True)
class Struct(object if PLAIN else structref.StructRefProxy):  # type: ignore[misc]
    """A class whose fields and methods kernels know; they receive an instance by reference.

    Fields are arrays (``f1``: floats, one axis; ``i2``: integers, two axes; ...), numbers, other
    structs or first-class functions. Kernels and Python see the same arrays, so what changes is
    kept in arrays; numbers stay as they were. Methods are compiled when a kernel calls them.

    Kernels borrow the arrays, and the Python object owns them. So fields cannot be replaced (see
    ``replaced``), and no kernel may return a struct, or an array of one, to Python.

    ::

        class Tally(Struct):
            counts: f1
            step: float

            def add(self, arm: int) -> None:
                self.counts[arm] += self.step
    """

    #: The arrays that are saved, and those that are not.
    saved: ClassVar[tuple[str, ...]] = ()
    scratch: ClassVar[tuple[str, ...]] = ()
    _axes: ClassVar[dict[str, tuple[Any, int]]]
    _fields: ClassVar[tuple[str, ...]]
    _construct: ClassVar[Any]

    def __init_subclass__(cls) -> None:
        if all(name.startswith("__") and name != "__annotations__" for name in vars(cls)):
            return  # nothing new: Numba copies classes that it cannot find by name, empty at first
        hints = get_type_hints(cls, include_extras=True)
        fields = {n: hint for n, hint in hints.items() if get_origin(hint) is not ClassVar}
        arrays = {n: get_args(h) for n, h in fields.items() if get_origin(h) is Annotated}
        if _PLACES in fields:
            raise TypeError(f"{cls.__name__} must have no field {_PLACES!r}: the name is taken")
        cls._fields = tuple(fields)
        cls._axes = {name: (_DTYPES[kind], axes) for name, (kind, axes) in arrays.items()}
        marked = [name for name in arrays if vars(cls).get(name) is scratch]
        cls.scratch = (*cls.scratch, *marked)
        cls.saved = tuple(name for name in arrays if name not in cls.scratch)
        for name in marked:
            delattr(cls, name)
        if not PLAIN:
            _declare(cls)

    def __new__(cls, **fields: Any) -> Struct:
        given = {name: fields.pop(name) for name in cls._fields}
        if fields:
            raise TypeError(f"{cls.__name__} has no field {next(iter(fields))!r}")
        for name, (dtype, axes) in cls._axes.items():
            array = given[name]
            if array.dtype != dtype or array.ndim != axes or not array.flags.carray:
                kind = f"a writable C-contiguous array of {np.dtype(dtype)} with {axes} axes"
                raise TypeError(f"{cls.__name__}.{name} must be {kind}")
            given[name] = array.view()  # NumPy moves no array that has a view
        if PLAIN:
            made = super().__new__(cls)
        else:
            cached = all(map(is_own, given.values()))
            others = [value for name, value in given.items() if name not in cls._axes]
            places = tuple((given[n].ctypes.data, given[n].shape) for n in cls._axes)
            made = (cls._construct if cached else uncached(cls._construct))(places, *others)
        made.__dict__.update(given)
        return cast(Struct, made)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._fields and vars(self)[name] is not value:
            raise AttributeError(f"{type(self).__name__}.{name} cannot be replaced")
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be deleted")

    def arrays(self) -> dict[str, Any]:
        """The arrays that are saved with a run, by name."""
        return {name: getattr(self, name) for name in self.saved}

    def replaced(self: S, **fields: Any) -> S:
        """The same with some fields replaced."""
        return type(self)(**(vars(self) | fields))


def _declare(cls: type[Struct]) -> None:
    """Make a class of structs known to Numba, its constructor and its methods."""
    structs = types.StructRef, types.FunctionType
    place = f"{cls.__module__.removeprefix('boclust.')}.{cls.__qualname__}"

    class StructType(types.StructRef):
        def __init__(self, fields: Any) -> None:
            super().__init__(fields)
            # the name is part of the name of every kernel that takes such a struct: keep it short
            inner = ", ".join(t.name for t in self.field_dict.values() if isinstance(t, structs))
            shape = hashlib.sha256(repr(list(self.field_dict.items())).encode()).hexdigest()[:8]
            self.name = f"{place}:{shape}[{inner}]"

        def preprocess_fields(self, fields: Any) -> Any:
            return tuple((name, types.unliteral(kind)) for name, kind in fields)

    StructType.__name__ = StructType.__qualname__ = f"{cls.__name__}Type"
    StructType.__module__ = cls.__module__
    setattr(sys.modules[cls.__module__], StructType.__name__, StructType)  # where pickle finds it
    structref.register(StructType)
    others = [name for name in cls._fields if name not in cls._axes]
    structref.define_proxy(cls, StructType, [_PLACES, *others])
    for at, (name, (dtype, _)) in enumerate(cls._axes.items()):
        overload_attribute(StructType, name)(_array_at(at, dtype))
    cls._construct = staticmethod(_constructor(cls))
    for name in dir(cls):
        method = getattr(cls, name)
        if not name.startswith("_") and not hasattr(Struct, name) and hasattr(method, "__code__"):
            overload_method(StructType, name)(_typed(method))


def _array_at(at: int, dtype: Any) -> Any:
    """How kernels read a field that is an array: from its address and shape, ``places[at]``.

    Kernels borrow the array; the Python object of the struct owns it. An array that kernels own is
    counted whenever they pass it on, and counting took half the time of most rules.
    """
    pointer_at, carray = _pointer_to(dtype), cast(Any, numba).carray

    def array(self: Any) -> Any:
        address, shape = self.places[at]
        return carray(pointer_at(address), shape)

    return _typed(array)


@functools.cache
def _pointer_to(dtype: Any) -> Any:
    pointer = types.CPointer(cast(Any, numba.from_dtype)(np.dtype(dtype)))

    def convert(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(pointer))

    def pointer_at(typing: Any, address: Any) -> Any:
        return pointer(types.intp), convert

    return intrinsic(pointer_at)


def _constructor(cls: type[Struct]) -> Any:
    file = getattr(sys.modules[cls.__module__], "__file__", None) or ""

    def construct(*fields: Any) -> Any:
        return cls(*fields)

    return _compiled(construct, _is_cached(file))


def _typed(method: F) -> F:
    @functools.wraps(method)
    def typed(*arguments: Any, **named: Any) -> Any:
        return method

    return cast(F, typed)


if not PLAIN:

    @overload_method(types.NamedUniTuple, "weight", inline="always")
    @overload_method(types.NamedTuple, "weight", inline="always")
    def _weight(self, i, j):  # type: ignore[no-untyped-def]
        """Kernels may call the method ``weight(i, j)`` of named tuples, which cost nothing there.

        Functions cannot be passed instead: Numba does not cache kernels that pass one on.
        """
        weight = inlined(self.instance_class.weight)
        return lambda self, i, j: weight(self, i, j)


#: Words on either side of a block: threads that write to one cache line wait for each other.
_MARGIN = 16


def in_one_block(structs: list[Struct]) -> tuple[list[Struct], IntArray]:
    """The same structs with all their arrays in one block of memory, and that block."""
    found: dict[int, Struct] = {}

    def collect(struct: Struct) -> None:
        for value in vars(struct).values():
            if isinstance(value, Struct):
                collect(value)
        found.setdefault(id(struct), struct)

    for struct in structs:
        collect(struct)
    arrays = {
        _place(getattr(s, name)): getattr(s, name) for s in found.values() for name in s._axes
    }
    words = sum(-(-array.nbytes // 8) for array in arrays.values())
    block = np.zeros(words + 2 * _MARGIN, dtype=np.int64)[_MARGIN : _MARGIN + words]
    placed: dict[Any, Any] = {}
    at = 0
    for place, array in arrays.items():
        size = -(-array.nbytes // 8)
        part = block[at : at + size].view(array.dtype)[: array.size].reshape(array.shape)
        part[...] = array
        placed[place] = part
        at += size
    moved: dict[int, Struct] = {}
    for key, struct in found.items():  # a struct comes after those inside it
        inner = {n: value for n, value in vars(struct).items() if isinstance(value, Struct)}
        fields: dict[str, Any] = {n: moved[id(value)] for n, value in inner.items()}
        fields |= {name: placed[_place(getattr(struct, name))] for name in struct._axes}
        moved[key] = struct.replaced(**fields)
    return [moved[id(struct)] for struct in structs], block


def _place(array: Any) -> tuple[int, tuple[int, ...], str]:
    """What tells arrays apart: structs that share one share it in a block, too."""
    return array.ctypes.data, array.shape, array.dtype.str


# --- copies ---------------------------------------------------------------------------------------


@kernel
def copy_vector(target: FloatArray | IntArray, source: FloatArray | IntArray) -> None:
    """``target[:] = source``, which takes Numba seconds to compile."""
    for i in range(target.shape[0]):
        target[i] = source[i]


@kernel
def copy_matrix(target: FloatArray | IntArray, source: FloatArray | IntArray) -> None:
    """``target[:, :] = source``."""
    for i in range(target.shape[0]):
        for j in range(target.shape[1]):
            target[i, j] = source[i, j]
