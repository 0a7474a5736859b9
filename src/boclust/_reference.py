"""Named tuples that kernels are handed by reference.

Numba hands a tuple over by value: one of sixty arrays is four kilobytes at every call, and when
Python calls a kernel the types of all sixty are worked out anew. A class marked ``by_reference``
is laid out in memory once, where Python calls a kernel; from there on kernels hand over its address
and load the fields that they use. Rules do not notice: ``run.counts`` is the field, with the JIT on
or off.
"""
# mypy: allow-untyped-calls, allow-untyped-decorators

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

T = TypeVar("T")


class Reference(types.Type):
    """Numba's type of the address of a named tuple; ``dtype`` is the type of the tuple."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        # a part of the name of every kernel: the class alone, not all its fields
        super().__init__(f"Reference({dtype.instance_class.__name__})")


register_model(Reference)(models.PointerModel)


def by_reference(cls: type[T]) -> type[T]:
    """Mark a class of named tuples; the fields of all its instances have the same Numba types."""
    known: list[Reference] = []

    @typeof_impl.register(cls)
    def typeof(value: Any, _context: Any) -> Reference:
        if not known:
            typed: Any = numba.typeof
            known.append(Reference(types.NamedTuple([typed(field) for field in value], cls)))
        return known[0]

    return cls


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
def _lay_out(reference: Reference, obj: Any, c: Any) -> NativeValue:
    """The code that lays out a tuple from Python on the stack, for the time of one call."""
    address = cgutils.alloca_once(c.builder, c.context.get_data_type(reference.dtype))
    failed = cgutils.false_bit
    natives = []
    for index, field in enumerate(reference.dtype.types):
        native = c.unbox(field, c.pyapi.tuple_getitem(obj, index))
        place = cgutils.gep_inbounds(c.builder, address, 0, index)
        c.context.pack_value(c.builder, field, native.value, place)
        failed = c.builder.or_(failed, native.is_error)
        natives.append((field, native.value))

    def give_back() -> None:
        if c.context.enable_nrt:
            for field, value in natives:
                c.context.nrt.decref(c.builder, field, value)

    return NativeValue(address, is_error=failed, cleanup=give_back)
