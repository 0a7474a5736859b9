"""``boclust run``: cluster the arms of a file of records, or arms that the user samples."""

import dataclasses
import io
import math
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boclust.cli.options import as_json, family_options, said_family

if TYPE_CHECKING:
    from boclust import Family
    from boclust._validate import FloatArray, IntArray
    from boclust.sources import Replay

#: The exit code for each reason to stop.
EXIT_CODES = {
    "certified": 0, "doubtful": 3, "budget": 3, "records": 3, "input": 3, "interrupted": 130
}  # fmt: skip

#: What the guarantee is about, with and without replacement.
_ABOUT = {
    True: "about the means of all records of the arms",
    False: "about the arms, if the records of each arm are independent samples of it",
}


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The result of a run, to be printed as text or JSON."""

    names: list[str]
    labels: "IntArray | None"
    pulls: "IntArray"
    records: "IntArray | None"
    estimates: "FloatArray"
    stopped: str
    why: str
    guarantee: str
    about: str = ""
    note: str = ""
    needed: str = ""


@click.command(name="run", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("what", nargs=-1, required=True, metavar="FILE | --ask ARM ARM ...")
@click.option("--ask", is_flag=True, help="Ask for each sample, and read it from standard input.")
@click.option("-k", "--clusters", type=int, required=True, help="Number of clusters K.")
@click.option("--delta", type=float, default=0.01, show_default=True, help="Error probability.")
@click.option("--arm", metavar="COLUMN", help="Column with the name of the arm.")
@click.option(
    "--value", "values", metavar="COLUMN", multiple=True,
    help="Column with the value; repeat it for vectors.",
)  # fmt: skip
@click.option("--dim", type=int, default=1, help="Numbers per sample, with --ask (default 1).")
@click.option(
    "--algorithm", default="span", show_default=True, help="Algorithm, one of boclust.algorithms()."
)
@family_options
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Seed of the order of the records."
)
@click.option(
    "--replace/--no-replace", help="Allow a record to be drawn more than once (default: no)."
)
@click.option("--max-samples", type=int, help="Stop after this many samples.")
@as_json
def command(
    what: tuple[str, ...],
    ask: bool,
    clusters: int,
    delta: float,
    arm: str | None,
    values: tuple[str, ...],
    dim: int,
    algorithm: str,
    seed: int,
    replace: bool,
    max_samples: int | None,
    as_json: bool,
    **family: Any,
) -> None:
    """Cluster the arms of a file of records, using as few records as possible.

    FILE is CSV (with a header line; commas, semicolons or tabs between columns, decimal points) or
    Parquet. It has one row per record, a column with the name of the arm and one or more columns
    with values. In a file with two columns the first is the arm and the second the value. The
    algorithm draws records at random, each at most once. Messages count rows from 1, without the
    header.

    With --ask the arguments are the names of the arms. The command asks for each sample by name
    and reads it from standard input: one line with a number, or with numbers separated by commas.
    An empty line or the end of input stops the run.

    \b
    boclust run sensors.csv --arm sensor --value temperature -k 3 --delta 0.05 --sigma 2
    boclust run ratings.parquet --arm film --value stars -k 4 --family bounded --low 1 --high 5
    boclust run --ask north south east west -k 2

    Exit code 0: the clusters are certified. 3: they are not, because the records, the budget or the
    input ended, or because the samples vary more than the family assumes; the command prints what
    is known. 130: the same after Ctrl-C. 2: bad input.
    """
    from boclust import Gaussian

    assumed = said_family(family) or Gaussian()
    if ask:
        if arm is not None or values or replace:
            raise click.UsageError("--arm, --value and --replace apply to a file, not to --ask.")
        outcome = _ask(what, clusters, delta, dim, algorithm, assumed, max_samples, as_json)
    else:
        if len(what) > 1:
            raise click.UsageError(
                f"Give one file, or --ask with names of arms; got {len(what)} files."
            )
        if dim != 1:
            raise click.UsageError("--dim applies to --ask; for a file, repeat --value.")
        from boclust.cli.records import read_records

        records = read_records(Path(what[0]), arm, values, assumed)
        outcome = _replay(records, clusters, delta, algorithm, assumed, seed, replace, max_samples)
    if as_json:
        _print_json(outcome)
    else:
        _print(outcome)
    sys.exit(EXIT_CODES[outcome.stopped])


def _replay(
    records: "dict[str, FloatArray]",
    n_clusters: int,
    delta: float,
    algorithm: str,
    family: "Family",
    seed: int,
    replace: bool,
    max_samples: int | None,
) -> Outcome:
    """Run the algorithm on the records, drawn one at a time."""
    from boclust import DoubtWarning, SourceError, cluster
    from boclust.cli.records import alike
    from boclust.cli.terminal import compiling, progress
    from boclust.sources import Replay, SourceExhausted

    source = Replay(records, replace=replace, seed=seed)
    n_records = int(source.counts.sum())
    total = max_samples if replace else min(n_records, max_samples or n_records)
    ran_out = ""
    with compiling(), progress("samples", total) as advance, warnings.catch_warnings():
        warnings.simplefilter("ignore", DoubtWarning)  # the outcome has it

        def sample(arm: int) -> "float | FloatArray":
            advance()
            return source(arm)

        try:
            result = cluster(
                sample, source.n_arms, n_clusters, delta, algorithm, family, max_samples,
                dim=source.dim,
            )  # fmt: skip
        except SourceError as error:
            if not isinstance(error.__cause__, SourceExhausted):
                raise
            result = error.result
            given = error.sample - 1
            held = "one record" if given == 1 else f"{given} records"
            ran_out = f"the {held} of {source.names[error.arm]!r} ran out"
    why = {
        "certified": "the certificate holds",
        "budget": f"{max_samples} samples were allowed",
        "error": ran_out,
        "interrupted": "interrupted",
    }[result.stopped]
    only_one = n_clusters in (1, source.n_arms)
    if only_one:
        why = "only one clustering is possible, and it needs no sample"
    stopped = "records" if ran_out else result.stopped
    doubt = "" if only_one else _doubt(records, family) or result.doubt
    outcome = Outcome(
        list(source.names), result.labels, result.pulls, source.counts, result.estimates, stopped,
        why, result.guarantee, _ABOUT[replace], alike(records),
        _needed(source, n_clusters, family, delta) if stopped in ("records", "budget") else "",
    )  # fmt: skip
    return _doubted(outcome, doubt) if doubt else outcome


def _needed(source: "Replay", n_clusters: int, family: "Family", delta: float) -> str:
    """Estimate how many samples the arms would need if their means were those of all records."""
    from boclust import lower_bound
    from boclust._validate import InvalidInputError
    from boclust.psi.bound import hopeless
    from boclust.cli.terminal import number
    from boclust.run.engine import FEW

    try:
        instance = source.instance(n_clusters, family)
    except InvalidInputError:  # equal records can have a mean that no arm of the family has
        return ""
    if warning := hopeless(instance, [delta]):
        return warning
    if instance.n_arms > FEW:  # the bound would take longer than the run
        return ""
    least = number(math.ceil(lower_bound(instance).samples(delta)))
    return (
        f"about {least} samples or more, if the means of the arms are those of all their records: "
        f"smallest distance between clusters {number(instance.d_inter)}, largest gap inside "
        f"{number(instance.d_intra)}"
    )


def _doubted(outcome: Outcome, doubt: str) -> Outcome:
    """Withdraw the guarantee because the samples contradict its assumptions."""
    doubted = dataclasses.replace(outcome, guarantee=f"none, because {doubt}")
    if outcome.stopped != "certified":
        return doubted
    why = "the certificate would hold if the samples were as the family assumes"
    return dataclasses.replace(doubted, stopped="doubtful", why=why)


def _doubt(records: "dict[str, FloatArray]", family: "Family") -> str:
    """Say why all records together contradict the family; an empty string if they do not."""
    import numpy as np

    means = np.array([part.mean(axis=0) for part in records.values()])
    errors = [part - mean for part, mean in zip(records.values(), means, strict=True)]
    scatter = sum(part.T @ part for part in errors)
    return family.misfit(scatter, means, np.array([float(len(part)) for part in errors]))


def _ask(
    names: tuple[str, ...],
    n_clusters: int,
    delta: float,
    dim: int,
    algorithm: str,
    family: "Family",
    max_samples: int | None,
    as_json: bool,
) -> Outcome:
    """Ask for each sample by the name of the arm; with ``as_json``, prompt on standard error."""
    from boclust import Learner
    from boclust._validate import MOST_SAMPLES, integer, invalid, repeated
    from boclust.cli.terminal import compiling

    if (twice := repeated(names)) is not None:
        raise invalid("ask", "followed by different names of arms", f"{twice!r} twice")
    budget = None if max_samples is None else integer("max_samples", max_samples, 1, MOST_SAMPLES)
    learner = Learner(len(names), n_clusters, delta, dim, algorithm, family)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(
            errors="replace"
        )  # a line with undecodable bytes is refused, not fatal
    stopped, why = "certified", "the certificate holds"
    try:
        while not learner.done:
            if budget is not None and learner.n_samples >= budget:
                stopped, why = "budget", f"{budget} samples were allowed"
                break
            with compiling():
                arm = learner.ask()
            if not _read_sample(learner, arm, names[arm], as_json):
                stopped, why = "input", "the input ended"
                break
    except KeyboardInterrupt:
        stopped, why = "interrupted", "interrupted"
        click.echo(err=as_json)
    outcome = Outcome(
        list(names), learner.labels, learner.pulls, None, learner.estimates, stopped, why,
        learner.guarantee,
    )  # fmt: skip
    return _doubted(outcome, learner.doubt) if learner.doubt else outcome


def _read_sample(learner: Any, arm: int, name: str, to_stderr: bool) -> bool:
    """Ask until a line is accepted; return False at an empty line or the end of input."""
    from boclust._validate import InvalidInputError
    from boclust.cli.csv_text import coordinates

    interactive = sys.stdin.isatty()
    while True:
        click.echo(f"sample {name}:" + " " * interactive, nl=not interactive, err=to_stderr)
        line = sys.stdin.readline().strip()
        if not line:
            return False
        try:
            learner.tell(arm, coordinates("value", line, "numbers separated by commas"))
        except InvalidInputError as error:
            click.echo(f"Not accepted: {error}", err=True)
        else:
            return True


def _print_json(outcome: Outcome) -> None:
    import json

    from boclust._data import finite

    labels, records = outcome.labels, outcome.records
    estimates = [[finite(float(x)) for x in row] for row in outcome.estimates]
    answer = {
        "arms": outcome.names,
        "labels": None if labels is None else labels.tolist(),
        "clusters": [] if labels is None else _clusters(outcome),
        "n_samples": int(outcome.pulls.sum()),
        "pulls": outcome.pulls.tolist(),
        "records": None if records is None else records.tolist(),
        "estimates": estimates,
        "certified": outcome.stopped == "certified",
        "stopped": outcome.stopped,
        "why": outcome.why,
        "guarantee": outcome.guarantee,
        "about": outcome.about,
        "note": outcome.note,
        "needed": outcome.needed,
    }
    click.echo(json.dumps(answer, allow_nan=False))


def _clusters(outcome: Outcome) -> list[list[str]]:
    assert outcome.labels is not None
    found: list[list[str]] = [[] for _ in range(int(outcome.labels.max()) + 1)]
    for name, label in zip(outcome.names, outcome.labels, strict=True):
        found[label].append(name)
    return found


def _print(outcome: Outcome) -> None:
    from rich.markup import escape

    from boclust.cli.terminal import arm_table, console, number

    used = int(outcome.pulls.sum())
    of = "" if outcome.records is None else f" of {int(outcome.records.sum()):,} records"
    certified = outcome.stopped == "certified"
    out = console()
    state = "[bold]certified[/bold]" if certified else "[bold yellow]not certified[/bold yellow]"
    out.print(f"{used:,} sample{'s' * (used != 1)}{of}; {state}: {escape(outcome.why)}")
    columns: dict[str, list[str]] = {"samples": [f"{n:,}" for n in outcome.pulls]}
    if outcome.records is not None:
        columns["records"] = [f"{n:,}" for n in outcome.records]
    columns["estimate"] = [
        "-" if pulls == 0 else ", ".join(number(float(x)) for x in row)
        for pulls, row in zip(outcome.pulls, outcome.estimates, strict=True)
    ]
    out.print(arm_table(outcome.labels, outcome.names, columns, outcome.pulls))
    if outcome.labels is None:
        out.print("clusters: unknown, because some arm has no sample")
    about = f"; {outcome.about}" if certified and outcome.about else ""
    out.print(f"guarantee: {escape(outcome.guarantee)}{about}")
    if outcome.needed:
        out.print(f"needed: {outcome.needed}")
    if outcome.note:
        out.print(f"[yellow]note: {escape(outcome.note)}[/yellow]")
