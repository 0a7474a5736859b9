"""One decorator for every Numba kernel, and the place where compiled kernels are kept.

Compiled code is cached under the user's cache directory in a folder named by a hash of all kernel
sources: Numba itself does not notice a changed callee in another module. Where that folder cannot
be written (a read-only home, say) kernels are compiled anew in each process.
"""
# mypy: allow-untyped-calls

import hashlib
import operator
import os
import pickle
import platform
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast

import numba
import numba.extending
from numba.core.caching import FunctionCache, NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

F = TypeVar("F", bound=Callable[..., Any])
_NEEDLESS = ("InlineClosureLikes", "NopythonRewrites")
_OPERATORS = {bool, *(f for name, f in vars(operator).items() if not name.startswith("_"))}


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
    """The kernel as Python calls it; other kernels take in a draft or are given a pointer."""
    compiled = _kept(function, "called", no_cfunc_wrapper=True, **options)
    if hasattr(compiled, "_cache"):  # not a plain function, which it is with the JIT off
        _draft_for_callers(compiled, options)
        compiled.pointed = cache(
            lambda: _kept(function, "pointed", no_cpython_wrapper=True, **options)
        )
    return cast(F, compiled)


def _kept(function: Any, form: str, **options: Any) -> Any:
    """``function`` compiled on first use, in a form that has a cache of its own."""
    compiled: Any = numba.njit(nogil=True, pipeline_class=_Compiler, **options)(function)
    folder = cache_directory()
    if hasattr(compiled, "_cache") and folder is not None:
        compiled._cache = _Kept(function, str(Path(folder, form)))
    return compiled


class _Kept(NullCache):
    """Numba's cache of one kernel, looked for when it is needed: most are parts of others only.

    One that cannot be written (full disk), read (damaged file) or placed (RuntimeError: a kernel
    that was typed in and has no file) only costs time.
    """

    _failures = (OSError, EOFError, ValueError, RuntimeError, pickle.UnpicklingError)

    def __init__(self, function: Callable[..., Any], folder: str) -> None:
        self._function = function
        self._folder = folder

    @cached_property
    def _cache(self) -> Any:
        settings: Any = numba.config
        before = settings.CACHE_DIR
        settings.CACHE_DIR = self._folder
        try:  # a cache is placed when it is made: others keep their own setting
            return FunctionCache(self._function)
        finally:
            settings.CACHE_DIR = before

    def save_overload(self, signature: Any, data: Any) -> None:
        """Write what has been compiled."""
        with suppress(*self._failures):
            self._cache.save_overload(signature, data)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """What has been compiled before, or None."""
        with suppress(*self._failures):
            return self._cache.load_overload(signature, context)
        return None


def _draft_for_callers(compiled: Any, options: dict[str, Any]) -> None:
    """Kernels that call this one take in a draft of it, one for all values of a constant."""

    @cache
    def draft() -> Any:
        alone: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, **options}
        return numba.njit(pipeline_class=_Drafting, **alone)(compiled.py_func)

    def get_call_template(arguments: Any, keywords: Any) -> Any:
        return draft().get_call_template([numba.types.unliteral(a) for a in arguments], keywords)

    compiled.get_call_template = get_call_template
    compiled.get_overload = lambda signature: draft().get_overload(signature)


class _Compiler(Compiler):
    """Numba's compiler, which does not ask again what it knows.

    What the operators make of numbers and arrays is looked up among all that has been declared for
    them, at every place and in every round of type inference: a sixth of the time.
    """

    _known: ClassVar[dict[Any, Any]] = {}

    def compile_extra(self, func: Any) -> Any:
        """Compile a kernel."""
        context: Any = self.state.typingctx
        if "resolve_function_type" in vars(context):  # a kernel is being compiled that calls this
            return super().compile_extra(func)
        ask = context.resolve_function_type

        def resolve_function_type(function: Any, arguments: Any, keywords: Any) -> Any:
            if keywords or getattr(function, "typing_key", function) not in _OPERATORS:
                return ask(function, arguments, keywords)
            key = function, arguments
            if key not in self._known:
                self._known[key] = ask(function, arguments, keywords)
            return self._known[key]

        context.resolve_function_type = resolve_function_type
        try:
            return super().compile_extra(func)
        finally:
            del context.resolve_function_type

    def define_pipelines(self) -> Any:
        """The usual passes but those for what kernels do not do: closures, sums of whole arrays."""
        pipelines: Any = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [p for p in pipeline.passes if p[0].__name__ not in _NEEDLESS]
        return pipelines


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


class _Drafting(_Compiler):
    """The compiler of drafts."""

    def define_pipelines(self) -> Any:
        """The usual passes, on a library that is a draft."""
        state: Any = self.state
        state.library = _Draft(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()


def direct(function: F, *arguments: Any) -> F:
    """``function`` for arguments of the types that these examples have, unchecked.

    By itself Numba looks at all the arguments of every call for their types: sixty arrays of a run,
    which takes ten times as long as a step of it. With the JIT off it is the function itself.
    """
    if not hasattr(function, "overloads"):
        return function
    typeof: Any = numba.typeof
    signature = tuple(typeof(argument) for argument in arguments)
    function.compile(signature)  # type: ignore[attr-defined]
    return cast(F, function.overloads[signature].entry_point)


def pointer(function: Any, result: Any, *arguments: Any) -> Any:
    """``function`` as a pointer that another kernel can be given.

    A kernel that is called through a pointer is compiled on its own, once, whoever calls it; called
    by name it would be optimised again as a part of every caller. ``result`` and ``arguments`` are
    examples of what it returns and takes. None is a pointer that nobody calls. With the JIT off it
    is the function itself.
    """
    settings: Any = numba.config
    if not hasattr(function, "pointed") and (function or settings.DISABLE_JIT):
        return function
    typeof: Any = numba.typeof
    returned = numba.types.none if result is None else typeof(result)
    return _pointed(function, returned(*(typeof(argument) for argument in arguments)))


@cache
def _pointed(function: Any, signature: Any) -> "_Pointer":
    return _Pointer(function and function.pointed(), signature)


class _Pointer(numba.types.WrapperAddressProtocol):
    """A compiled function as Numba's first-class function type sees it."""

    def __init__(self, function: Any, signature: Any) -> None:
        self._signature = signature
        self.type = numba.types.FunctionType(signature)
        self._address = -1  # Numba's word for a function that there is not
        #: The pointer as kernels have it; with the last word they call the function itself.
        self.words = 0, 0, 0
        if function is not None:
            function.compile(signature.args)
            made = function.get_compile_result(signature)
            wrapper, own = made.fndesc.llvm_cfunc_wrapper_name, made.fndesc.llvm_func_name
            self._address = made.library.get_pointer_to_function(wrapper)
            self.words = self._address, id(self), made.library.get_pointer_to_function(own)

    def __wrapper_address__(self) -> int:
        return int(self._address)

    def signature(self) -> Any:
        """Numba's signature of the function."""
        return self._signature


@numba.extending.typeof_impl.register(_Pointer)
def _type_of_pointer(function: _Pointer, _context: Any) -> Any:
    """Made once: by itself Numba would make it anew for every call of a kernel."""
    return function.type


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
