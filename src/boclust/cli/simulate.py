"""``boclust simulate``: how many samples the algorithms need on an instance."""

import sys
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boclust.cli.options import as_json

if TYPE_CHECKING:
    from boclust.bound import LowerBound
    from boclust.cli.instances import Described
    from boclust.registry import Algorithm
    from boclust.simulation import Results
    from boclust.sources import Simulated

_KEYS = ("algorithms", "deltas", "trials", "seed", "max_samples", "source")


@dataclass(frozen=True)
class Plan:
    """What a file asks to be simulated."""

    described: "Described"
    algorithms: "list[str | Algorithm]"
    source: "Simulated"
    settings: dict[str, Any]


@click.command(name="simulate", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("config", type=click.Path(path_type=Path), metavar="CONFIG.toml")
@click.option("--trials", type=int, help="Instead of the file's; 100 where neither says.")
@click.option("--seed", type=int, help="Instead of the file's; 0 where neither says.")
@click.option("--jobs", type=int, help="Workers; as many as there are processors.")
@click.option("--engine", default="threads", show_default=True, help="threads or processes.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write every trial to this Parquet file."
)
@click.option("--force", is_flag=True, help="Overwrite it where it exists.")
@as_json
def command(
    config: Path,
    trials: int | None,
    seed: int | None,
    jobs: int | None,
    engine: str,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Run algorithms many times on a simulated instance and count their samples and errors.

    \b
    CONFIG.toml describes the instance as for `boclust bound`, and what to run:
      means = [0, 0.5, 1, 2.5, 3, 4.5, 5]
      n_clusters = 3
      algorithms = ["span", "rr", {sampling = "challenger", stopping = "local", precision = 4.0}]
      deltas = [0.1, 0.01]
      trials = 1000
    \b
    It may also say:
      family = {name = "bounded", low = 0, high = 1}    names = ["a", "b", ...]
      source = {noise = "beta", sd = 0.15}              seed = 0
      max_samples = 1000000

    \b
    boclust simulate config.toml --trials 200 --out trials.parquet
    """
    from boclust.cli.terminal import compiling, replacing

    plan = read_plan(config)
    said = {"trials": trials, "seed": seed}
    settings = plan.settings | {name: n for name, n in said.items() if n is not None}
    described = plan.described
    with replacing(out, force) if out else nullcontext() as part, compiling():
        from boclust.bound import lower_bound
        from boclust.simulation import simulate

        results = simulate(
            described.instance, plan.algorithms, described.deltas, jobs=jobs, engine=engine,
            source=plan.source, progress=sys.stderr.isatty(), **settings,
        )  # fmt: skip
        bound = lower_bound(described.instance)
        if part is not None:
            results.write(part)
    names = [str(chosen) for chosen in plan.algorithms]
    rows = sorted(results.summary(), key=lambda row: names.index(row["algorithm"]))
    for row in rows:
        row["lower_bound"] = bound.samples(row["delta"])
    if as_json:
        _print_json(bound, rows)
    else:
        _print(bound, rows, results)
        if out is not None:
            click.echo(f"every trial: {out}")


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
    from boclust.registry import Algorithm, algorithm

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


def _print_json(bound: "LowerBound", rows: list[dict[str, Any]]) -> None:
    import json

    from boclust.cli.instances import summary
    from boclust.cli.terminal import finite

    answer = {
        **summary(bound.instance),
        "rows": [{name: finite(value) for name, value in row.items()} for row in rows],
        "bound_statement": bound.instance.family.bound_statement,
        "bound_note": bound.note,
    }
    click.echo(json.dumps(answer, allow_nan=False))


def _print(bound: "LowerBound", rows: list[dict[str, Any]], results: "Results") -> None:
    from rich.markup import escape

    from boclust.cli.terminal import console, number, table

    instance = bound.instance
    out = console()
    out.print(
        f"[bold]{instance.n_arms} arms, {instance.n_clusters} clusters[/bold], {instance.family}, "
        f"{rows[0]['trials']:,} trials"
    )
    shown = table(
        "algorithm", "delta", "mean samples", "q90", "max", "censored", "errors", "error rate <",
        "bound",
    )  # fmt: skip
    last = None
    for row in rows:
        if last not in (row["algorithm"], None):
            shown.add_section()
        shown.add_row(
            "" if row["algorithm"] == last else escape(row["algorithm"]),
            f"{row['delta']:g}",
            f"{number(row['mean_samples'])} ± {number(row['se_samples'])}",
            number(row["q90_samples"]),
            number(row["max_samples"]),
            str(row["censored"]),
            str(row["errors"]),
            f"{row['error_rate_high']:.2g}",
            number(row["lower_bound"]),
        )
        last = row["algorithm"]
    out.print(shown)
    smallest = min(row["delta"] for row in rows)
    for name in dict.fromkeys(row["algorithm"] for row in rows):
        out.print(f"{escape(name)}: {escape(results.guarantees[name][smallest])}")
    out.print(
        "[dim]mean ± standard error; censored: stopped by max_samples, not certified; "
        "error rate <: upper bound at confidence 99%[/dim]"
    )
    out.print(f"[dim]bound: {bound.note or instance.family.bound_statement}[/dim]")
