"""``boclust simulate``: how many samples the algorithms need on an instance."""

import sys
import warnings
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boclust.cli.options import as_json

if TYPE_CHECKING:
    from boclust import LowerBound, Results
    from boclust.cli.simulate_config import Config


@click.command(name="simulate", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("config", type=click.Path(path_type=Path), metavar="CONFIG.toml")
@click.option(
    "--trials", type=int, help="Trials per algorithm, instead of those in the file (default 100)."
)
@click.option("--seed", type=int, help="Seed, instead of that in the file (default 0).")
@click.option("--jobs", type=int, help="Number of workers (default: one per processor).")
@click.option("--engine", default="threads", show_default=True, help="threads, processes or dask.")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Address of a Dask cluster (default: a local one is started).",
)
@click.option(
    "--out",
    type=click.Path(),
    metavar="FILE|FOLDER/",
    help="Write all trials to this Parquet file, or one file per task to this folder.",
)
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@click.option(
    "--resume", is_flag=True, help="Continue a sweep: run the tasks that the folder lacks."
)
@click.option("--shard", metavar="I/N", help="Run only part I of N of the tasks.")
@as_json
def command(config: Path, trials: int | None, seed: int | None, as_json: bool, **how: Any) -> None:
    """Run algorithms many times on a simulated instance, and count their samples and errors.

    \b
    CONFIG.toml describes the instance (as for `boclust bound`) and the runs:
      means = [0, 0.5, 1, 2.5, 3, 4.5, 5]
      n_clusters = 3
      algorithms = ["span", "rr", {sampling = "challenger", stopping = "local", precision = 4.0}]
      deltas = [0.1, 0.01]
      trials = 1000
    \b
    Further optional keys:
      family = {name = "bounded", low = 0, high = 1}    names = ["a", "b", ...]
      source = {noise = "beta", sd = 0.15}              seed = 0
      max_samples = 1000000

    A folder keeps finished tasks, and --resume continues after an interruption. Runs with --shard
    1/4, ..., 4/4 may share one folder, in parallel or one after another, without --resume.

    \b
    boclust simulate config.toml --trials 200 --out trials.parquet
    boclust simulate config.toml --out sweep/ --engine dask --scheduler tcp://host:8786
    boclust simulate config.toml --out sweep/ --shard 3/4
    """
    from boclust.cli.simulate_config import read_config
    from boclust.cli.terminal import compiling

    read = read_config(config)
    options = {"trials": trials, "seed": seed}
    settings = read.settings | {name: n for name, n in options.items() if n is not None}
    out, place, kept = _place(**{n: how.pop(n) for n in ("out", "force", "resume", "shard")})
    with place as part, compiling():
        from boclust.psi.bound import hopeless, quick_bound

        instance, deltas = read.described.instance, read.described.deltas
        bound = quick_bound(instance)
        if warning := hopeless(instance, deltas):
            click.echo(f"Warning: {warning}.", err=True)
        results = _simulate(read, **settings, **how, **kept)
        if part is not None:
            results.write(part)
    names = [str(chosen) for chosen in read.algorithms]
    rows = sorted(results.summary(), key=lambda row: names.index(row["algorithm"]))
    for row in rows:
        row["lower_bound"] = bound.samples(row["delta"])
    if as_json:
        _print_json(bound, rows, results)
    else:
        _print(bound, rows, results)
        if out is not None:
            click.echo(f"Trials: {out}{_missing(results)}")


def _place(out: str | None, force: bool, resume: bool, shard: str | None) -> Any:
    """Return the path for the trials, a context for the run, and arguments of ``simulate``."""
    from boclust._validate import invalid
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
        raise invalid("force", "used with a file (for a folder, use --resume)", f"the folder {out}")
    if out is not None:
        place = keeping(Path(out), "the same command with --resume")
    return out and Path(out), place, {"out": out, "resume": resume, "shard": part}


def _check_parquet(path: Path) -> None:
    """Refuse a suffix of another format."""
    from boclust._validate import invalid

    if path.suffix.lower() not in ("", ".parquet"):
        raise invalid("out", "a file named .parquet, or a folder ending with /", repr(str(path)))


def _shard(text: str | None) -> tuple[int, int] | None:
    """Read ``i/n``."""
    from boclust._validate import invalid

    if text is None:
        return None
    i, slash, n = text.partition("/")
    if not (slash and i.isdecimal() and n.isdecimal() and 1 <= int(i) <= int(n)):
        raise invalid("shard", "i/n with 1 <= i <= n, like 1/4", repr(text))
    return int(i), int(n)


def _simulate(config: "Config", **settings: Any) -> "Results":
    from boclust import HopelessWarning
    from boclust.simulation import WorkersLost, simulate

    described = config.described
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", HopelessWarning)  # the command has shown it
            return simulate(
                described.instance, config.algorithms, described.deltas, source=config.source,
                progress=sys.stderr.isatty(), **settings,
            )  # fmt: skip
    except WorkersLost as error:
        kept = "; finished tasks are kept, --resume continues" if settings.get("out") else ""
        click.echo(f"Error: {error}{kept}", err=True)
        raise click.exceptions.Exit(1) from None


def _missing(results: "Results") -> str:
    finished, total = results.tasks
    return (
        "" if finished == total else f" ({finished} of {total} tasks; {total - finished} missing)"
    )


def _print_json(bound: "LowerBound", rows: list[dict[str, Any]], results: "Results") -> None:
    import json

    from boclust._data import finite
    from boclust.cli.instance_input import summary

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
    if not rows:  # a part of a sweep without any task
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
        out.print(f"{escape(name)}, guarantee: {escape(results.guarantees[name][smallest])}")
    out.print(
        "[dim]mean ± standard error; q90: 90 % quantile; censored: stopped by max_samples, not "
        "certified; error rate <: upper bound with 99 % confidence[/dim]"
    )
    out.print(f"[dim]bound: {bound.note or instance.family.bound_statement}[/dim]")
