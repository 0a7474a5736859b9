"""The TOML file of ``boclust simulate``: an instance and what to run on it."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boclust import Algorithm
    from boclust.cli.instance_input import Described
    from boclust.sources import Simulated

_KEYS = ("algorithms", "deltas", "trials", "seed", "max_samples", "source")


@dataclass(frozen=True)
class Config:
    """The simulations that a file describes."""

    described: "Described"
    algorithms: "list[str | Algorithm]"
    source: "Simulated"
    settings: dict[str, Any]


def read_config(path: Path) -> Config:
    """Read a file, and check as much as possible before anything runs."""
    from boclust._validate import invalid
    from boclust.cli.instance_input import describe, read_toml

    entries = read_toml(path, _KEYS)
    if "deltas" in entries:
        if "delta" in entries:
            raise invalid("deltas", f"the only list of deltas in {path}", "delta as well")
        entries["delta"] = entries["deltas"]
    described = describe(entries, None, (), {})
    settings = {n: v for n, v in entries.items() if n in ("trials", "seed", "max_samples")}
    source = _source(entries.get("source", {}), described)
    return Config(described, _algorithms(entries.get("algorithms", ["span"])), source, settings)


def _algorithms(entry: Any) -> "list[str | Algorithm]":
    from boclust import Algorithm
    from boclust._validate import invalid
    from boclust.run.algorithm import algorithm

    if not isinstance(entry, list) or not entry:
        raise invalid("algorithms", 'a list like ["span", "rr"]', repr(entry))
    chosen: list[str | Algorithm] = []
    for one in entry:
        if isinstance(one, dict):
            made: str | Algorithm = Algorithm(**one)
        else:
            algorithm(one)
            made = one
        if made in chosen:
            raise invalid("algorithms", "a list of different algorithms", f"{made!r} twice")
        chosen.append(made)
    return chosen


def _source(entry: Any, described: "Described") -> "Simulated":
    from boclust._validate import invalid
    from boclust.sources import Beta, Simulated

    expected = 'a table like {noise = "bernoulli"} or {noise = "beta", sd = 0.15}'
    if not isinstance(entry, dict):
        raise invalid("source", expected, repr(entry))
    if unknown := sorted(set(entry) - {"noise", "sd"}):
        raise invalid("a key of source", "noise or sd", unknown[0])
    noise: Any = entry.get("noise")
    if (noise == "beta") != ("sd" in entry):
        raise invalid("source", f"{expected}, with sd for beta only", repr(entry))
    return Simulated(described.instance, noise=Beta(entry["sd"]) if noise == "beta" else noise)
