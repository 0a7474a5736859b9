"""What is public is documented: a docstring with an example, and types."""

import inspect

import pytest

import boclust

NAMES = [name for name in boclust.__all__ if not inspect.ismodule(getattr(boclust, name))]
#: What is never made by hand is shown by the function that returns it.
SHOWN_BY = {
    "Explanation": boclust.Learner.explain,
    "Family": boclust.Gaussian,
    "Infimum": boclust.infimum,
    "Plan": boclust.plan,
}


def members(thing):
    """Its public methods and properties, as far as they are written here."""
    for name, member in inspect.getmembers(thing):
        function = member.fget if isinstance(member, property) else member
        own = inspect.unwrap(function) if callable(function) else None
        if name.startswith("_") or not inspect.isfunction(own):
            continue
        if own.__module__.startswith("boclust"):
            yield name, own


@pytest.mark.parametrize("name", NAMES)
def test_it_is_documented_with_an_example(name):
    thing = getattr(boclust, name)
    text = inspect.getdoc(thing) or ""
    assert text, f"{name} has no docstring"
    if inspect.isclass(thing) and issubclass(thing, Exception):
        return
    shown = text + "".join(inspect.getdoc(m) or "" for _, m in members(thing))
    if name in SHOWN_BY:
        shown += inspect.getdoc(SHOWN_BY[name]) or ""
    assert ">>>" in shown, f"{name} has no example"


@pytest.mark.parametrize("name", NAMES)
def test_it_is_typed(name):
    thing = getattr(boclust, name)
    functions = list(members(thing)) if inspect.isclass(thing) else [(name, thing)]
    if inspect.isclass(thing) and "__init__" in vars(thing):
        functions.append(("__init__", thing.__init__))
    for what, function in functions:
        signature = inspect.signature(function)
        assert signature.return_annotation is not inspect.Signature.empty, f"{name}.{what}"
        for parameter in signature.parameters.values():
            if parameter.name not in ("self", "cls"):
                assert parameter.annotation is not inspect.Parameter.empty, f"{name}.{what}"


@pytest.mark.parametrize("name", NAMES)
def test_its_methods_say_what_they_do(name):
    thing = getattr(boclust, name)
    if inspect.isclass(thing):
        for what, function in members(thing):
            assert inspect.getdoc(function), f"{name}.{what} has no docstring"
