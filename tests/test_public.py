"""What is public is documented: a docstring with an example, and types."""

import inspect
from functools import cached_property

import pytest

import boclust
from boclust import datasets, sources

PUBLIC = {name: getattr(boclust, name) for name in boclust.__all__}
PUBLIC |= {f"sources.{name}": getattr(sources, name) for name in sources.__all__}
PUBLIC |= {f"datasets.{name}": getattr(datasets, name) for name in datasets.__all__}
PUBLIC = {name: thing for name, thing in PUBLIC.items() if not inspect.ismodule(thing)}
CLASSES = {name: thing for name, thing in PUBLIC.items() if inspect.isclass(thing)}
#: What is never made by hand is shown by what makes it.
SHOWN_BY = {
    "Clustering": boclust.cluster,
    "Explanation": boclust.Learner.explain,
    "Family": boclust.Gaussian,
    "Infimum": boclust.infimum,
    "LowerBound": boclust.lower_bound,
    "Plan": boclust.plan,
    "Results": boclust.simulate,
    "sources.Source": sources.Simulated,
    "datasets.Scale": datasets.Dataset,
}
#: These need files of others; the scripts in examples/ show them.
NEED_FILES = {"datasets.mnist", "datasets.movielens", "datasets.nyc_taxi"}


def members(thing):
    """Its public methods and properties, as far as they are written here."""
    for name, member in inspect.getmembers_static(thing):
        if isinstance(member, property):
            member = member.fget
        elif isinstance(member, cached_property):
            member = member.func
        elif isinstance(member, (classmethod, staticmethod)):
            member = member.__func__
        own = inspect.unwrap(member) if callable(member) else None
        if name.startswith("_") or not inspect.isfunction(own):
            continue
        if own.__module__.startswith("boclust"):
            yield name, own


def test_members_are_methods_and_properties_of_all_kinds():
    found = dict(members(boclust.Results))
    assert {"table", "summary", "read", "plot"} <= set(found)
    assert "done" in dict(members(boclust.Learner))
    assert "create" in dict(members(boclust.Study))


@pytest.mark.parametrize("name", PUBLIC)
def test_it_is_documented_with_an_example(name):
    thing = PUBLIC[name]
    text = inspect.getdoc(thing) or ""
    assert text, f"{name} has no docstring"
    if inspect.isclass(thing) and issubclass(thing, Exception):
        return
    shown = inspect.getdoc(SHOWN_BY.get(name, thing)) or ""
    assert (">>>" in shown) == (name not in NEED_FILES), f"{name} has no example"


def typed(function):
    signature = inspect.signature(function)
    yield signature.return_annotation is not inspect.Signature.empty
    for parameter in signature.parameters.values():
        if parameter.name not in ("self", "cls"):
            yield parameter.annotation is not inspect.Parameter.empty


@pytest.mark.parametrize("name", PUBLIC)
def test_it_is_typed(name):
    thing = PUBLIC[name]
    functions = dict(members(thing)) if name in CLASSES else {name: thing}
    if name in CLASSES and inspect.isfunction(thing.__init__):
        functions["__init__"] = thing.__init__
    for what, function in functions.items():
        assert all(typed(function)), f"{name}.{what}"


@pytest.mark.parametrize("name", CLASSES)
def test_its_members_say_what_they_do(name):
    for what, function in members(CLASSES[name]):
        assert inspect.getdoc(function), f"{name}.{what} has no docstring"
