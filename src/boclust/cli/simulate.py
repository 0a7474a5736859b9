"""``boclust simulate``: how many samples the algorithms need on an instance."""

import sys
import warnings
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boclust.cli.options import as_json

if TYPE_CHECKING:
    from boclust.psi.bound import LowerBound
    from boclust.cli.plans import Plan
    from boclust.simulation import Results


@click.command(name="simulate", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("config", type=click.Path(path_type=Path), metavar="CONFIG.toml")
@click.option("--trials", type=int, help="Instead of the file's; 100 where neither says.")
@click.option("--seed", type=int, help="Instead of the file's; 0 where neither says.")
@click.option("--jobs", type=int, help="Workers; as many as there are processors.")
@click.option("--engine", default="threads", show_default=True, help="threads, processes or dask.")
@click.option(
    "--scheduler", metavar="ADDRESS", help="Of a Dask cluster; by itself dask starts one here."
)
@click.option(
    "--out",
    type=click.Path(),
    metavar="FILE|FOLDER/",
    help="Write every trial to this Parquet file, or each task to a shard in this folder.",
)
@click.option("--force", is_flag=True, help="Overwrite the file where it exists.")
@click.option("--resume", is_flag=True, help="Do what is missing in the folder.")
@click.option("--shard", metavar="I/N", help="Only every N-th task from the I-th on.")
@as_json
def command(config: Path, trials: int | None, seed: int | None, as_json: bool, **how: Any) -> None:
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

    In a folder, what is finished stays: --resume goes on after an interruption. Runs with --shard
    1/4, ..., 4/4 may share one folder, at once or one after the other, and need no --resume.

    \b
    boclust simulate config.toml --trials 200 --out trials.parquet
    boclust simulate config.toml --out sweep/ --engine dask --scheduler tcp://host:8786
    boclust simulate config.toml --out sweep/ --shard 3/4
    """
    from boclust.cli.plans import read_plan
    from boclust.cli.terminal import compiling

    plan = read_plan(config)
    said = {"trials": trials, "seed": seed}
    settings = plan.settings | {name: n for name, n in said.items() if n is not None}
    out, place, kept = _place(**{n: how.pop(n) for n in ("out", "force", "resume", "shard")})
    with place as part, compiling():
        from boclust.psi.bound import hopeless, quick_bound

        instance, deltas = plan.described.instance, plan.described.deltas
        bound = quick_bound(instance)
        if told := hopeless(instance, deltas):
            click.echo(f"Warning: {told}.", err=True)
        results = _simulate(plan, **settings, **how, **kept)
        if part is not None:
            results.write(part)
    names = [str(chosen) for chosen in plan.algorithms]
    rows = sorted(results.summary(), key=lambda row: names.index(row["algorithm"]))
    for row in rows:
        row["lower_bound"] = bound.samples(row["delta"])
    if as_json:
        _print_json(bound, rows, results)
    else:
        _print(bound, rows, results)
        if out is not None:
            click.echo(f"every trial: {out}{_missing(results)}")


def _place(out: str | None, force: bool, resume: bool, shard: str | None) -> Any:
    """Where trials go: (path, what to be inside of while they run, what ``simulate`` is told)."""
    from boclust._validate import fail
    from boclust.cli.terminal import keeping, replacing

    part = _shard(shard)
    folder = resume or part is not None
    folder = folder or (out is not None and (out.endswith("/") or Path(out).is_dir()))
    place: AbstractContextManager[Path | None] = nullcontext()
    if not folder:
        if out is not None:
            _check_parquet(Path(out))
            place = replacing(Path(out), force)
        return out and Path(out), place, {}
    if force:
        raise fail("force", "is given for a folder", "--resume, or another folder")
    if out is not None:
        place = keeping(Path(out), "the same command with --resume")
    return out and Path(out), place, {"out": out, "resume": resume, "shard": part}


def _check_parquet(path: Path) -> None:
    """A name that says something else would deceive whoever reads the file."""
    from boclust._validate import fail

    if path.suffix.lower() not in ("", ".parquet"):
        raise fail("out", f"is {str(path)!r}", "a file named .parquet, or a folder ending with /")


def _shard(said: str | None) -> tuple[int, int] | None:
    """``i/n``."""
    from boclust._validate import fail

    if said is None:
        return None
    i, slash, n = said.partition("/")
    if not (slash and i.isdecimal() and n.isdecimal() and 1 <= int(i) <= int(n)):
        raise fail("shard", f"is {said!r}", "i/n with 1 <= i <= n, like 1/4")
    return int(i), int(n)


def _simulate(plan: "Plan", **settings: Any) -> "Results":
    from boclust.psi.bound import HopelessWarning
    from boclust.simulation import WorkersLost, simulate

    described = plan.described
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", HopelessWarning)  # it has been said
            return simulate(
                described.instance, plan.algorithms, described.deltas, source=plan.source,
                progress=sys.stderr.isatty(), **settings,
            )  # fmt: skip
    except WorkersLost as error:
        kept = "; what is finished is kept: --resume goes on" if settings.get("out") else ""
        click.echo(f"Error: {error}{kept}", err=True)
        raise click.exceptions.Exit(1) from None


def _missing(results: "Results") -> str:
    finished, all_of_them = results.tasks
    if finished == all_of_them:
        return ""
    return f" ({finished} of {all_of_them} tasks: {all_of_them - finished} are missing)"


def _print_json(bound: "LowerBound", rows: list[dict[str, Any]], results: "Results") -> None:
    import json

    from boclust._data import finite
    from boclust.cli.instances import summary

    answer = {
        **summary(bound.instance),
        "rows": [{name: finite(value) for name, value in row.items()} for row in rows],
        "bound_statement": bound.instance.family.bound_statement,
        "bound_note": bound.note,
        "missing_tasks": results.tasks[1] - results.tasks[0],
    }
    click.echo(json.dumps(answer, allow_nan=False))


def _print(bound: "LowerBound", rows: list[dict[str, Any]], results: "Results") -> None:
    from rich.markup import escape

    from boclust.cli.terminal import console, number, table

    instance = bound.instance
    out = console()
    out.print(
        f"[bold]{instance.n_arms} arms, {instance.n_clusters} clusters[/bold], {instance.family}, "
        f"{max(row['trials'] for row in rows) if rows else 0:,} trials"
    )
    if not rows:  # a sweep that others have not begun yet
        return
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
        out.print(f"{escape(name)}, when it stops: {escape(results.guarantees[name][smallest])}")
    out.print(
        "[dim]mean ± standard error; censored: stopped by max_samples, not certified; "
        "error rate <: upper bound at confidence 99%[/dim]"
    )
    out.print(f"[dim]bound: {bound.note or instance.family.bound_statement}[/dim]")
