"""The file of ``boclust simulate``: an instance and what to run on it."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boclust.cli.instances import Described
    from boclust.run.algorithm import Algorithm
    from boclust.sources import Simulated

_KEYS = ("algorithms", "deltas", "trials", "seed", "max_samples", "source")


@dataclass(frozen=True)
class Plan:
    """What a file asks to be simulated."""

    described: "Described"
    algorithms: "list[str | Algorithm]"
    source: "Simulated"
    settings: dict[str, Any]


def read_plan(path: Path) -> Plan:
    """The file, checked as far as that is possible before anything runs."""
    from boclust._validate import fail
    from boclust.cli.instances import describe, read_toml

    said = read_toml(path, _KEYS)
    if "deltas" in said:
        if "delta" in said:
            raise fail("deltas", f"is in {path} beside delta", "one of both")
        said["delta"] = said["deltas"]
    described = describe(said, None, (), {})
    settings = {n: v for n, v in said.items() if n in ("trials", "seed", "max_samples")}
    source = _source(said.get("source", {}), described)
    return Plan(described, _algorithms(said.get("algorithms", ["span"])), source, settings)


def _algorithms(said: Any) -> "list[str | Algorithm]":
    from boclust._validate import fail
    from boclust.run.algorithm import Algorithm, algorithm

    if not isinstance(said, list) or not said:
        raise fail("algorithms", f"is {said!r}", 'a list like ["span", "rr"]')
    chosen: list[str | Algorithm] = []
    for entry in said:
        if isinstance(entry, dict):
            made: str | Algorithm = Algorithm(**entry)
        else:
            algorithm(entry)
            made = entry
        if made in chosen:
            raise fail("algorithms", f"has {made!r} twice", "each once")
        chosen.append(made)
    return chosen


def _source(said: Any, described: "Described") -> "Simulated":
    from boclust._validate import fail
    from boclust.sources import Beta, Simulated

    accepted = '{noise = "bernoulli"}, {noise = "beta", sd = 0.15} and the like'
    if not isinstance(said, dict):
        raise fail("source", f"is {said!r}", accepted)
    if unknown := sorted(set(said) - {"noise", "sd"}):
        raise fail(unknown[0], "is no key of source", "noise, sd")
    noise: Any = said.get("noise")
    if (noise == "beta") != ("sd" in said):
        raise fail("source", f"is {said!r}", f"{accepted}: sd with beta only")
    return Simulated(described.instance, noise=Beta(said["sd"]) if noise == "beta" else noise)
