"""``boclust study create | fork``: new studies."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from boclust.cli.options import as_json, family_options, said_family
from boclust.cli.study.common import counted, follow_up, of_study, opened, print_json


def budget_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--budget`` and ``--budget-cost``, given to the command as keywords."""
    samples = click.option("--budget", type=int, metavar="N", help="At most so many samples.")
    cost = click.option(
        "--budget-cost", type=float, metavar="X", help="Samples until they have cost so much."
    )
    return samples(cost(command))


def said_budget(samples: int | None, cost: float | None) -> dict[str, Any] | None:
    """As ``Study.create`` takes it."""
    given = {"samples": samples, "cost": cost}
    return {name: most for name, most in given.items() if most is not None} or None


_lease = click.option(
    "--lease", type=float, metavar="SECONDS",
    help="After so long an ask that was not answered counts no longer. An hour by itself.",
)  # fmt: skip


@of_study("create")
@click.option("--arm", "names", multiple=True, metavar="NAME", help="An arm; repeat it for each.")
@click.option(
    "--arms", "file", type=click.Path(path_type=Path), metavar="FILE",
    help="The arms as CSV or Parquet: name, and perhaps cost and tags (separated by ;).",
)  # fmt: skip
@click.option("--n-arms", type=int, metavar="M", help="M arms that are called 0, 1, ...")
@click.option("-k", "--clusters", type=int, required=True, help="Number of clusters K.")
@click.option("--delta", type=float, default=0.01, show_default=True, help="Error probability.")
@click.option("--dim", type=int, default=1, show_default=True, help="Numbers of a value.")
@click.option("--algorithm", default="span", show_default=True, help="See boclust.algorithms().")
@family_options
@budget_options
@_lease
@click.option("--seed", type=int, help="For algorithms that draw random numbers.")
@as_json
def create(
    study: str, url: str, names: tuple[str, ...], file: Path | None, n_arms: int | None,
    clusters: int, delta: float, dim: int, algorithm: str, budget: int | None,
    budget_cost: float | None, lease: float | None, seed: int | None, as_json: bool, **family: Any,
) -> None:  # fmt: skip
    """Create a study; the database is made where there is none.

    \b
    boclust study create tides --arm north --arm south --arm west -k 2 --delta 0.05
    boclust study create shops --arms shops.csv -k 3 --family bernoulli --budget 2000
    """
    from boclust.study import Study
    from boclust.study.study import LEASE

    if sum((bool(names), file is not None, n_arms is not None)) != 1:
        raise click.UsageError("Give the arms by --arm NAME (repeated), --arms FILE or --n-arms M.")
    arms: Any = list(names) or (n_arms if file is None else _read_arms(file))
    most = said_budget(budget, budget_cost)
    with Study.create(
        url, study, arms, clusters, delta, dim, said_family(family), algorithm, most,
        LEASE if lease is None else lease, seed,
    ) as made:  # fmt: skip
        n_arms = len(made.arms)
    _done(study, n_arms, clusters, delta, as_json)


@of_study("fork")
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
    """Another study, NAME, over the values of STUDY that stand, with other parameters.

    What it certifies holds for it alone, if its parameters were not chosen by the values.

    \b
    boclust study fork tides tides-in-3 -k 3
    """
    options = {"sigma": sigma, "low": low, "high": high, "space": space}
    if family is None and any(option is not None for option in options.values()):
        raise click.UsageError("--sigma, --low, --high and --space need --family here.")
    changes["family"] = said_family({"family": family, **options})
    changes["budget"] = said_budget(budget, budget_cost)
    given = {change: value for change, value in changes.items() if value is not None}
    with opened(url, study) as one:
        made = one.fork(name, **given)
        status = made.status()
    _done(name, len(made.arms), status.n_clusters, status.delta, as_json, status.samples)


def _done(
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
    """The arms of a CSV or Parquet file, each as a mapping."""
    from boclust._validate import fail
    from boclust.cli.study.files import read_rows
    from boclust.cli.study.values import number

    found = read_rows(path)
    columns = set(found.columns)
    if not {"name"} <= columns <= {"name", "cost", "tags"} or len(columns) < len(found.columns):
        listed = ", ".join(map(repr, found.columns)) or "none"
        raise fail("arms", f"{path} has the columns {listed}", "name, and perhaps cost and tags")
    arms = []
    cells = zip(*(found.column(name) for name in found.columns), strict=True)
    for place, row in zip(found.places, cells, strict=True):
        arm: dict[str, Any] = dict(zip(found.columns, row, strict=True))
        if arm["name"] is None:
            raise fail("arms", f"{place}: the name is missing", "a name in every row")
        if isinstance(arm.get("cost"), str):
            arm["cost"] = number(f"{place}, cost", arm["cost"])
        if isinstance(arm.get("tags"), str):
            arm["tags"] = [tag.strip() for tag in arm["tags"].split(";")]
        arms.append({name: cell for name, cell in arm.items() if cell is not None})
    return arms
