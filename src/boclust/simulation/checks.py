"""What ``simulate`` is handed, checked before anything runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boclust._validate import choice, fail, integer, path_of, shown
from boclust.instance import Instance
from boclust.registry import Algorithm
from boclust.sources import Replay, Simulated

ENGINES = ("threads", "processes", "dask")


def numbers(trials: int | range) -> range:
    """The numbers of the trials."""
    if not isinstance(trials, range):
        return range(integer("trials", trials, 1))
    if not trials or min(trials) < 0:
        raise fail("trials", f"is {trials!r}", "their number, or a range of numbers from 0")
    return trials


def algorithms(value: Sequence[str | Algorithm]) -> list[str]:
    """Their names."""
    if isinstance(value, (str, Algorithm)):
        raise fail("algorithms", f"is {value!r}", "a list of algorithms")
    names = [str(chosen) for chosen in value]
    if not names:
        raise fail("algorithms", "is empty", "at least one")
    for name in names:
        if names.count(name) > 1:
            raise fail("algorithms", f"has {name} twice", "each once")
    return names


def source(value: Any, instance: Instance) -> Simulated | Replay:
    """Where samples come from."""
    if value is None:
        return Simulated(instance)
    if not isinstance(value, (Simulated, Replay)):
        raise fail("source", f"is {value!r}", "boclust.sources.Simulated(...) or Replay(...)")
    if (value.n_arms, value.dim) != (instance.n_arms, instance.dim):
        raise fail(
            "source",
            f"has {value.n_arms} arms of dimension {value.dim}",
            f"{instance.n_arms} arms of dimension {instance.dim}, as the instance",
        )
    return value


def engine(name: Any, scheduler: Any) -> None:
    """Who does the work."""
    choice("engine", name, ENGINES)
    if scheduler is None:
        return
    if not isinstance(scheduler, str) or not scheduler:
        raise fail("scheduler", f"is {shown(scheduler)}", "an address like 'tcp://host:8786'")
    if name != "dask":
        raise fail("scheduler", f"is {scheduler!r} with engine {name!r}", "engine 'dask'")


def folder(out: Any, resume: bool, shard: Any) -> Path | None:
    """The folder of a sweep, if there is to be one."""
    if shard is not None:
        accepted = "(i, n) with 1 <= i <= n"
        if not isinstance(shard, tuple) or len(shard) != 2:
            raise fail("shard", f"is {shown(shard)}", accepted)
        if integer("shard", shard[0], 1) > integer("shard", shard[1], 1):
            raise fail("shard", f"is {shard!r}", accepted)
    if out is None:
        if resume or shard is not None:
            raise fail("out", f"is not given with {'resume' if resume else 'shard'}", "a folder")
        return None
    return path_of("out", out, "a folder")
