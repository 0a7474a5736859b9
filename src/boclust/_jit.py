"""One decorator for every Numba kernel, and the place where compiled kernels are kept.

Compiled code is cached under the user's cache directory in a folder named by a hash of all kernel
sources: Numba itself does not notice a changed callee in another module. Where that folder cannot
be written (a read-only home, say) kernels are compiled anew in each process.
"""
# mypy: allow-untyped-calls

import hashlib
import os
import pickle
import platform
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numba.extending
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.experimental.function_type import _get_wrapper_address

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile ``function`` on first use: no GIL, IEEE arithmetic, cached on disk where possible."""
    return _compiled(function, _nrt=True)


def step_kernel(function: F) -> F:
    """A kernel that creates no array: it need not count who holds those that it is handed.

    For kernels of a step, which take arrays from a run wherever they use them.
    """
    return _compiled(function, _nrt=False)


def inlined_kernel(function: F) -> F:
    """A step kernel that becomes a part of its callers.

    For a few tests in an inner loop: to hand the arrays over would cost more than the tests.
    """
    return _compiled(function, _nrt=False, forceinline=True)


def _compiled(function: F, **options: Any) -> F:
    directory = cache_directory()
    settings: Any = numba.config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = directory or before
    try:  # the cache of a function is placed when it is decorated: others keep their own setting
        cached = directory is not None
        compiled: Any = numba.njit(nogil=True, cache=cached, **options)(function)
    finally:
        settings.CACHE_DIR = before
    if hasattr(compiled, "_cache"):  # not a plain function, which it is with the JIT off
        if cached:
            _tolerate_failures(compiled._cache)
        _draft_for_callers(compiled, options)
    return cast(F, compiled)


def _draft_for_callers(compiled: Any, options: dict[str, Any]) -> None:
    """Kernels that call this one take in a draft of it, one for all values of a constant."""
    alone: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, **options}
    draft: Any = numba.njit(pipeline_class=_Drafting, **alone)(compiled.py_func)

    def get_call_template(arguments: Any, keywords: Any) -> Any:
        return draft.get_call_template([numba.types.unliteral(a) for a in arguments], keywords)

    compiled.get_call_template = get_call_template
    compiled.get_overload = draft.get_overload


class _Draft(JITCodeLibrary):
    """The code of a kernel that nobody but other kernels calls.

    Numba would optimise it and translate it to machine code on its own, although its callers take
    it in and do so again, and so on up to the kernel that Python calls. A draft is only taken in.
    """

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """None: there is no machine code."""
        return 0

    @property
    def codegen(self) -> Any:
        """What is told the environment of a function, which a draft has no place for."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing that kernels do needs it."""


class _Drafting(Compiler):
    """Numba's compiler of drafts."""

    def define_pipelines(self) -> Any:
        """The usual passes, on a library that is a draft."""
        state: Any = self.state
        state.library = _Draft(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()


def pointer(function: Any, result: Any, *arguments: Any) -> Any:
    """``function`` as a pointer that another kernel can be given.

    A kernel that is called through a pointer is compiled on its own, once, whoever calls it; called
    by name it would be optimised again as a part of every caller. ``result`` and ``arguments`` are
    examples of what it returns and takes. With the JIT off it is the function itself.
    """
    if not hasattr(function, "compile"):
        return function
    typeof: Any = numba.typeof
    returned = numba.types.none if result is None else typeof(result)
    return _Pointer(function, returned(*(typeof(argument) for argument in arguments)))


class _Pointer(numba.types.WrapperAddressProtocol):
    """A compiled function as Numba's first-class function type sees it."""

    def __init__(self, function: Any, signature: Any) -> None:
        function.compile(signature.args)
        address: Any = _get_wrapper_address
        self._address = address(function, signature)
        self._signature = signature
        self.type = numba.types.FunctionType(signature)

    def __wrapper_address__(self) -> int:
        return int(self._address)

    def signature(self) -> Any:
        """Numba's signature of the function."""
        return self._signature


@numba.extending.typeof_impl.register(_Pointer)
def _type_of_pointer(function: _Pointer, _context: Any) -> Any:
    """Made once: by itself Numba would make it anew for every call of a kernel."""
    return function.type


def _tolerate_failures(function_cache: Any) -> None:
    """A cache that cannot be written (full disk) or read (damaged file) only costs time."""
    failures = (OSError, EOFError, ValueError, pickle.UnpicklingError)
    save, load = function_cache.save_overload, function_cache.load_overload

    def save_overload(signature: Any, data: Any) -> None:
        with suppress(*failures):
            save(signature, data)

    def load_overload(signature: Any, context: Any) -> Any:
        with suppress(*failures):
            return load(signature, context)
        return None

    function_cache.save_overload = save_overload
    function_cache.load_overload = load_overload


@cache
def cache_directory() -> str | None:
    """The writable folder for compiled kernels, or None where there is none."""
    try:
        folder = _cache_root() / "boclust" / f"kernels-{sources_hash()}"
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, RuntimeError):  # RuntimeError: no home directory can be determined
        return None
    return str(folder)


@cache
def sources_hash() -> str:
    """A hash of all that is compiled, of Numba's and Python's version and of the machine."""
    package = Path(__file__).parent
    digest = hashlib.sha256()
    digest.update(f"{numba.__version__} {sys.version} {platform.machine()}".encode())
    own = [Path(__file__), package / "_reference.py"]
    sources = [*package.rglob("*_kernels.py"), *package.rglob("codes.py"), *own]
    for source in sorted(sources):
        digest.update(source.relative_to(package).as_posix().encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


def _cache_root() -> Path:
    explicit = os.environ.get("BOCLUST_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    return Path(explicit) if explicit else Path.home() / ".cache"
