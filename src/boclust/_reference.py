"""Named tuples that kernels are handed by reference.

Numba hands a tuple over by value: one of sixty arrays is four kilobytes at every call, and every
kernel that Python calls has code of its own that takes the sixty apart. A tuple of a class marked
``by_reference`` is laid out in memory once, when it first comes to a kernel; from there on its
address is handed over, and kernels load the fields that they use. Rules do not notice:
``run.counts`` is the field, with the JIT on or off.
"""
# mypy: allow-untyped-calls, allow-untyped-decorators

import struct
from collections.abc import Iterator
from ctypes import addressof, c_void_p, create_string_buffer
from functools import cached_property
from typing import Any, TypeVar

import numba
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np.numpy_support import as_dtype

T = TypeVar("T")
_NUMBERS = {types.float64: "d", types.int64: "q", types.boolean: "?7x"}


class Reference(types.Type):
    """Numba's type of the address of a named tuple; ``dtype`` is the type of the tuple."""

    def __init__(self, dtype: Any, fields: list[Any]) -> None:
        self.dtype = dtype
        #: The element type and the number of axes of arrays, None for numbers and pointers.
        self.kinds = [
            (as_dtype(field.dtype), field.ndim) if isinstance(field, types.Array) else None
            for field in fields
        ]
        #: The format of all fields for ``struct``: each takes whole words of eight bytes.
        self.layout = "".join(map(_format, fields))
        # a part of the name of every kernel: the class alone, not all its fields
        super().__init__(f"Reference({dtype.instance_class.__name__})")


def _format(field: Any) -> str:
    """The words of a field: what Numba has of an array, of a pointer to a kernel, of a number."""
    if isinstance(field, types.Array):
        return f"{5 + 2 * field.ndim}q"
    return "3q" if isinstance(field, types.FunctionType) else _NUMBERS[field]


register_model(Reference)(models.PointerModel)


def by_reference(cls: type[T]) -> type[T]:
    """Mark a class of named tuples; the fields of all its instances have the same Numba types."""
    known: list[Reference] = []

    def reference(value: Any) -> Reference:
        if not known:
            typed: Any = numba.typeof
            dtype = types.NamedTuple([typed(field) for field in value], Laid)
            known.append(Reference(dtype, [typed(field) for field in leaves(value)]))
        return known[0]

    class Laid(cls):  # type: ignore[misc, valid-type]
        """What is laid out for the kernels of this process."""

        @cached_property
        def address(self) -> int:
            memory = create_string_buffer(_pack(reference(self), self))
            return addressof(self.__dict__.setdefault("_memory", memory))  # the first of threads

        def __reduce__(self) -> Any:
            return type(self), tuple(self)

    for name in ("__doc__", "__module__", "__name__", "__qualname__"):
        setattr(Laid, name, getattr(cls, name))
    typeof_impl.register(Laid)(lambda value, _context: reference(value))
    return Laid


def _data(array: Any) -> int | None:
    """``array.ctypes.data``, ten times as fast: the first thing after the header of the object."""
    return c_void_p.from_address(id(array) + object.__basicsize__).value


def leaves(parts: Any) -> Iterator[Any]:
    """The fields of a tuple and of the tuples in it."""
    for part in parts:
        if isinstance(part, tuple):
            yield from leaves(part)
        else:
            yield part


def _pack(reference: Reference, value: Any) -> bytes:
    """The fields as they lie in memory; arrays as Numba has them, owned by nobody."""
    words: list[Any] = []
    for kind, field in zip(reference.kinds, leaves(value), strict=True):
        if kind is None:
            words += getattr(field, "words", (field,))
            continue
        if not any(field.shape):
            words += (0,) * (5 + 2 * kind[1])
            continue
        if field.dtype != kind[0] or field.ndim != kind[1] or not field.flags.carray:
            raise TypeError(f"not a C-contiguous array of {kind[0]} with {kind[1]} axes: {field!r}")
        words += (0, 0, field.size, field.itemsize, _data(field))
        words += field.shape
        words += field.strides
    return struct.pack(reference.layout, *words)


@infer_getattr
class _Fields(AttributeTemplate):
    """The types of ``reference.field``."""

    key = Reference

    def generic_resolve(self, reference: Reference, name: str) -> Any:  # type: ignore[override]
        """The type of one field; None where there is no such field."""
        return dict(zip(reference.dtype.fields, reference.dtype.types, strict=True)).get(name)


@lower_getattr_generic(Reference)
def _load(context: Any, builder: Any, reference: Reference, address: Any, name: str) -> Any:
    """The code of ``reference.field``."""
    index = reference.dtype.fields.index(name)
    field = reference.dtype.types[index]
    value = context.unpack_value(builder, field, cgutils.gep_inbounds(builder, address, 0, index))
    return impl_ret_borrowed(context, builder, field, value)


@unbox(Reference)
def _address(reference: Reference, obj: Any, c: Any) -> NativeValue:
    """The code that asks a tuple from Python for its address."""
    size = c.context.get_abi_sizeof(c.context.get_data_type(reference.dtype))
    assert size == struct.calcsize(reference.layout)
    number = c.pyapi.object_getattr_string(obj, "address")
    failed = cgutils.is_null(c.builder, number)
    place = cgutils.alloca_once_value(c.builder, c.context.get_constant_null(types.voidptr))
    with c.builder.if_then(c.builder.not_(failed)):
        c.builder.store(c.pyapi.long_as_voidptr(number), place)
        c.pyapi.decref(number)
    kind = c.context.get_value_type(reference)
    return NativeValue(c.builder.bitcast(c.builder.load(place), kind), is_error=failed)
