"""``boclust study create | fork | db``: new studies, and the tables that hold them."""

from pathlib import Path
from typing import Any

import click

from boclust.cli import HELP
from boclust.cli.options import as_json, family_options, said_family
from boclust.cli.study.common import (
    budget_options,
    counted,
    database,
    follow_up,
    given_budget,
    opened,
    print_json,
    study_command,
)

_lease = click.option(
    "--lease", type=float, metavar="SECONDS",
    help="Time after which an unanswered ask no longer counts as pending (default: an hour).",
)  # fmt: skip


@study_command("create")
@click.option("--arm", "names", multiple=True, metavar="NAME", help="An arm; repeat for each.")
@click.option(
    "--arms", "file", type=click.Path(path_type=Path), metavar="FILE",
    help="The arms as CSV or Parquet: name, optionally cost and tags (separated by ;).",
)  # fmt: skip
@click.option("--n-arms", type=int, metavar="M", help="Create M arms called 0, 1, ...")
@click.option("-k", "--clusters", type=int, required=True, help="Number of clusters K.")
@click.option("--delta", type=float, default=0.01, show_default=True, help="Error probability.")
@click.option("--dim", type=int, default=1, show_default=True, help="Numbers per value.")
@click.option("--algorithm", default="span", show_default=True, help="See boclust.algorithms().")
@family_options
@budget_options
@_lease
@as_json
def create(
    study: str, url: str, names: tuple[str, ...], file: Path | None, n_arms: int | None,
    clusters: int, delta: float, dim: int, algorithm: str, budget: int | None,
    budget_cost: float | None, lease: float | None, as_json: bool, **family: Any,
) -> None:  # fmt: skip
    """Create a study, and the database if there is none.

    \b
    boclust study create tides --arm north --arm south --arm west -k 2 --delta 0.05
    boclust study create shops --arms shops.csv -k 3 --family bernoulli --budget 2000
    """
    from boclust.study import Study
    from boclust.study.study import LEASE

    if sum((bool(names), file is not None, n_arms is not None)) != 1:
        raise click.UsageError("Give the arms by --arm NAME (repeated), --arms FILE or --n-arms M.")
    arms: Any = list(names) or (n_arms if file is None else _read_arms(file))
    with Study.create(
        url, study, arms, clusters, delta, dim, said_family(family), algorithm,
        given_budget(budget, budget_cost), LEASE if lease is None else lease,
    ) as made:  # fmt: skip
        n_arms = len(made.arms)
    _print_created(study, n_arms, clusters, delta, as_json)


@study_command("fork")
@click.argument("name")
@click.option("-k", "--clusters", "n_clusters", type=int, help="Another number of clusters.")
@click.option("--delta", type=float, help="Another error probability.")
@click.option("--algorithm", help="Another algorithm.")
@family_options
@budget_options
@_lease
@as_json
def fork(
    study: str, url: str, name: str, budget: int | None, budget_cost: float | None, as_json: bool,
    sigma: float | None, low: float | None, high: float | None, space: str | None,
    family: str | None, **changes: Any,
) -> None:  # fmt: skip
    """Create a study NAME with the values of STUDY that are not voided, and other parameters.

    Its guarantee holds for it alone, and only if its parameters were not chosen by looking at the
    values.

    \b
    boclust study fork tides tides-in-3 -k 3
    """
    options = {"sigma": sigma, "low": low, "high": high, "space": space}
    if family is None and any(option is not None for option in options.values()):
        raise click.UsageError("--sigma, --low, --high and --space need --family here.")
    changes["family"] = said_family({"family": family, **options})
    changes["budget"] = given_budget(budget, budget_cost)
    given = {change: value for change, value in changes.items() if value is not None}
    with opened(url, study) as one:
        made = one.fork(name, **given)
        status = made.status()
    _print_created(name, len(made.arms), status.n_clusters, status.delta, as_json, status.samples)


def _print_created(
    name: str, n_arms: int, n_clusters: int, delta: float, as_json: bool, samples: int = 0
) -> None:
    from boclust.cli.terminal import plain

    if as_json:
        print_json({"study": name, "n_arms": n_arms, "n_clusters": n_clusters, "delta": delta})
        return
    what = f"{counted(n_arms, 'arm')}, {counted(n_clusters, 'cluster')}, delta = {delta:g}"
    click.echo(f"Created {plain(name)}: {what}" + f", {counted(samples, 'value')}." * (samples > 0))
    click.echo(f"Next: {follow_up('status' if samples else 'ask', name)}")


def _read_arms(path: Path) -> list[dict[str, Any]]:
    """The arms in a CSV or Parquet file, each as a mapping."""
    from boclust._validate import invalid
    from boclust.cli.study.inputs import number, read_rows

    found = read_rows(path)
    columns = set(found.columns)
    if not {"name"} <= columns <= {"name", "cost", "tags"} or len(columns) < len(found.columns):
        listed = ", ".join(map(repr, found.columns)) or "none"
        accepted = f"a file with the columns name and optionally cost and tags ({path})"
        raise invalid("arms", accepted, listed)
    arms = []
    cells = zip(*(found.column(name) for name in found.columns), strict=True)
    for place, row in zip(found.places, cells, strict=True):
        arm: dict[str, Any] = dict(zip(found.columns, row, strict=True))
        if arm["name"] is None:
            raise invalid(f"{place}, column 'name'", "the name of an arm", "nothing")
        if isinstance(arm.get("cost"), str):
            arm["cost"] = number(f"{place}, cost", arm["cost"])
        if isinstance(arm.get("tags"), str):
            arm["tags"] = [tag.strip() for tag in arm["tags"].split(";")]
        arms.append({name: cell for name, cell in arm.items() if cell is not None})
    return arms


@click.group(name="db", context_settings=HELP)
def db() -> None:
    """The tables of a database."""


@db.command(name="upgrade", context_settings=HELP)
@database
def upgrade(url: str) -> None:
    """Upgrade a database of an older version, without losing anything.

    \b
    boclust study db upgrade --url sqlite:///tides.db
    """
    from boclust.study import Study
    from boclust.study.storage.tables import SCHEMA

    Study.upgrade(url)
    click.echo(f"The database has schema {SCHEMA}, which this version of boclust uses.")
