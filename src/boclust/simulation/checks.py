"""What ``simulate`` is handed, checked before anything runs."""

from pathlib import Path
from typing import Any

from boclust._validate import choice, fail, integer, path_of, several, shown
from boclust.problem.instance import Instance
from boclust.run.algorithm import Algorithm, algorithm
from boclust.sources import Replay, Simulated

ENGINES = ("threads", "processes", "dask")
#: More are a slip of the pen: their rows would fill the memory.
MOST_TRIALS = 10**9


def numbers(trials: int | range) -> range:
    """The numbers of the trials."""
    if not isinstance(trials, range):
        return range(integer("trials", trials, 1, MOST_TRIALS))
    if not trials or min(trials[0], trials[-1]) < 0:
        raise fail("trials", f"is {trials!r}", "their number, or a range of numbers from 0")
    return trials


def algorithms(value: Any) -> dict[str, Algorithm]:
    """By their names."""
    chosen: dict[str, Algorithm] = {}
    for entry in several("algorithms", value, "a list of names from boclust.algorithms()"):
        if str(entry) in chosen:
            raise fail("algorithms", f"has {entry} twice", "each once")
        chosen[str(entry)] = algorithm(entry)
    return chosen


def source(value: Any, instance: Instance) -> Simulated | Replay:
    """Where samples come from."""
    if value is None:
        return Simulated(instance)
    if not isinstance(value, (Simulated, Replay)):
        raise fail("source", f"is {shown(value)}", "boclust.sources.Simulated(...) or Replay(...)")
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
