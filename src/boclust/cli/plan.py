"""``boclust plan``: how many samples a study will need if guessed means are right."""

from typing import TYPE_CHECKING, Any

import click

from boclust.cli.options import as_json, family_options, means_command

if TYPE_CHECKING:
    from boclust import Plan
    from boclust.cli.instance_input import Described


@means_command("plan")
@click.option(
    "--delta", type=float, multiple=True,
    help="Error probability; may be repeated (default 0.1, 0.05, 0.01 and 0.001).",
)  # fmt: skip
@family_options
@click.option(
    "--algorithm", default="span", show_default=True, help="Algorithm, one of boclust.algorithms()."
)
@click.option(
    "--trials",
    type=click.IntRange(2),
    default=20,
    show_default=True,
    help="Number of simulated studies.",
)
@click.option("--cost", type=float, help="Cost of one sample.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Seed of the simulated studies."
)
@as_json
def command(
    means: tuple[str, ...], clusters: int | None, delta: tuple[float, ...], algorithm: str,
    trials: int, cost: float | None, seed: int, as_json: bool, **family: Any,
) -> None:  # fmt: skip
    """Estimate how many samples a study will need if the means are as you guess.

    Give MEANS as for boclust bound: one number per arm, comma-separated coordinates, or one CSV or
    TOML file. For each delta the table shows a number that no method can beat, and the samples
    that the algorithm needed in simulated studies.

    \b
    boclust plan 0 0.5 1 2.5 3 4.5 5 -k 3 --cost 0.2
    boclust plan guess.csv -k 4 --family bernoulli --delta 0.05
    """
    import math
    import sys

    from boclust._validate import invalid
    from boclust.cli.instance_input import read_instance
    from boclust.cli.terminal import compiling
    from boclust.planning import DELTAS
    from boclust.run.algorithm import algorithm as named

    named(algorithm)  # before anything is compiled
    if cost is not None and not 0 <= cost < math.inf:
        raise invalid("cost", "a finite number >= 0", cost)
    described = read_instance(means, clusters, delta or DELTAS, family)
    with compiling():
        from boclust import plan

        shown = sys.stderr.isatty()
        found = plan(described.instance, described.deltas, algorithm, trials, seed, shown)
    if as_json:
        _print_json(described, found, cost)
    else:
        _print(described, found, cost)


def _print_json(described: "Described", found: "Plan", cost: float | None) -> None:
    import json

    from boclust._data import finite
    from boclust.cli.instance_input import summary

    needs = [
        {name: finite(value) for name, value in need._asdict().items()}
        | ({} if cost is None else {"cost": None if need.mean is None else cost * need.mean})
        for need in found.needs
    ]
    answer = {
        **summary(described.instance),
        "algorithm": found.algorithm,
        "trials": found.trials,
        "needs": needs,
        "warning": found.warning,
    }
    click.echo(json.dumps(answer, allow_nan=False))


def _print(described: "Described", found: "Plan", cost: float | None) -> None:
    from boclust.cli.terminal import console, number, table

    out = console()
    instance, bound = described.instance, found.bound
    arms = f"[bold]{instance.n_arms} arms, {instance.n_clusters} clusters[/bold], {instance.family}"
    if instance.n_clusters in (1, instance.n_arms):
        out.print(f"{arms}: {bound.note}")
        return
    out.print(
        f"{arms}: smallest distance between clusters {number(instance.d_inter)}, largest gap "
        f"inside {number(instance.d_intra)}"
    )
    costs = () if cost is None else ("mean cost",)
    least = "lower bound" if instance.family.bound_holds else "yardstick"
    made = table("delta", least, "mean samples", "90 % quantile", *costs)
    for need in found.needs:
        row = [f"{need.delta:g}", number(need.at_least)]
        if need.mean is not None:
            row += [f"{need.mean:,.0f} ± {need.error:,.0f}", number(need.nine_in_ten or 0.0)]
            row += [] if cost is None else [number(cost * need.mean)]
        made.add_row(*row)
    out.print(made)
    for note in dict.fromkeys(need.note for need in found.needs if need.note):
        about = ", ".join(f"{need.delta:g}" for need in found.needs if need.note == note)
        out.print(f"delta = {about}: {note}")
    if found.warning:
        out.print(f"[yellow]Do not start: {found.warning}.[/yellow]")
    studies = f"{found.algorithm}, {found.trials} simulated studies; ± one standard error. "
    guess = "The estimate is as good as the guessed means."
    out.print(f"[dim]{studies if found.trials else ''}{guess}[/dim]")
    if bound.note:
        out.print(f"[dim]{least}: {bound.note}.[/dim]")
    if not instance.family.bound_holds:
        out.print(f"[dim]yardstick: {instance.family.bound_statement}.[/dim]")
