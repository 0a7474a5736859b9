"""``boclust bound``: the lower bound of an instance."""

from typing import TYPE_CHECKING, Any

import click

from boclust.cli.options import as_json, family_options, means_command

if TYPE_CHECKING:
    from boclust import LowerBound
    from boclust.cli.instance_input import Described


@means_command("bound")
@click.option(
    "--delta", type=float, multiple=True, help="Error probability; may be repeated (default 0.01)."
)
@family_options
@click.option(
    "--rtol",
    type=float,
    default=1e-3,
    show_default=True,
    help="Relative width of the bracket of T*.",
)
@as_json
def command(
    means: tuple[str, ...],
    clusters: int | None,
    delta: tuple[float, ...],
    rtol: float,
    as_json: bool,
    **family: Any,
) -> None:
    """Compute the fewest samples that any method needs on average, and their best proportions.

    MEANS describe the arms: one number per arm, or comma-separated coordinates. Or give one file:
    CSV (one row per arm, optionally with a header line and a first column of names) or TOML
    (means, n_clusters, optionally names, delta and a [family] table).

    \b
    boclust bound 0 0.5 1 2.5 3 4.5 5 -k 3 --delta 0.01
    boclust bound -1,-1 -1,-2 1,1 2,2 3,-3 3.5,-3 -k 3
    boclust bound arms.csv -k 4 --family bernoulli --json
    """
    from boclust._validate import real
    from boclust.cli.instance_input import read_instance
    from boclust.cli.terminal import compiling

    described = read_instance(means, clusters, delta, family)
    real("rtol", rtol, 0.0, 1.0)  # before anything is compiled
    with compiling():
        from boclust import lower_bound

        bound = lower_bound(described.instance, rtol=rtol)
        rows = [(d, bound.samples(d)) for d in described.deltas]
    if as_json:
        _print_json(described, bound, rows)
    else:
        print_bound(described, bound, rows)


def _print_json(
    described: "Described", bound: "LowerBound", rows: list[tuple[float, float]]
) -> None:
    import json
    import math

    from boclust._data import finite
    from boclust.cli.instance_input import summary

    instance = bound.instance
    answer = {
        **summary(instance),
        "arms": described.names,
        "labels": instance.labels.tolist(),
        "d_intra": instance.d_intra,
        "d_inter": finite(instance.d_inter),
        "t_star": finite(bound.t_star),
        "t_star_low": finite(bound.t_star_low),
        "t_star_high": finite(bound.t_star_high),
        "t_uniform": finite(1 / bound.psi_uniform if bound.psi_uniform > 0 else math.inf),
        "weights": bound.weights.tolist(),
        "samples": [{"delta": d, "samples": finite(n)} for d, n in rows],
        "statement": instance.family.bound_statement,
        "note": bound.note,
        "warning": bound.warning(described.deltas),
    }
    click.echo(json.dumps(answer, allow_nan=False))


def print_bound(
    described: "Described", bound: "LowerBound", rows: list[tuple[float, float]]
) -> None:
    """Print the clusters with the proportions, the bracket of T*, and the samples per delta."""
    from boclust.cli.terminal import arm_table, console, number, table

    instance = bound.instance
    out = console()
    out.print(
        f"[bold]{instance.n_arms} arms, {instance.n_clusters} clusters[/bold], "
        f"{instance.dim} dimension{'s' * (instance.dim > 1)}, {instance.family}"
    )
    out.print(f"d_intra = {number(instance.d_intra)}, d_inter = {number(instance.d_inter)}")
    columns = {
        "mean": [_coordinates(row) for row in instance.means],
        "proportion": [f"{weight:.3f}" for weight in bound.weights],
    }
    out.print(arm_table(instance.labels, described.names, columns, bound.weights))
    if bound.note:
        out.print(f"[yellow]{bound.note}[/yellow]")
    out.print(
        f"T* = [bold]{number(bound.t_star)}[/bold], certified between "
        f"{number(bound.t_star_low)} and {number(bound.t_star_high)}"
    )
    if bound.psi_uniform > 0 and bound.t_star_low > 0:
        out.print(f"with equal proportions: {number(1 / bound.psi_uniform)}")
    needed = table("delta", "mean samples needed")
    for delta, samples in rows:
        needed.add_row(f"{delta:g}", number(samples))
    out.print(needed)
    if warning := bound.warning(described.deltas):
        out.print(f"[yellow]Do not start: {warning}.[/yellow]")
    out.print(f"[dim]{instance.family.bound_statement}[/dim]")


def _coordinates(mean: Any) -> str:
    """Write a mean, or the first coordinates of a long one."""
    from boclust.cli.terminal import number

    numbers = [number(float(x)) for x in mean]
    return ", ".join(numbers if len(numbers) <= 4 else [*numbers[:3], "…"])
