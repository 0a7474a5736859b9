"""``boclust demo``: the paper's 7-arm instance."""

import click


@click.command(name="demo")
def command() -> None:
    """The lower bound of the paper's 7-arm instance, printed and explained."""
    from boclust.cli.bound import print_bound
    from boclust.cli.instances import Described
    from boclust.cli.terminal import compiling, console, number
    from boclust.instance import Instance

    instance = Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], n_clusters=3)
    with compiling():
        from boclust.alternatives import infimum
        from boclust.bound import lower_bound

        bound = lower_bound(instance)
        nearest = infimum(instance.means, bound.weights, 3)
    out = console()
    out.print(
        "Seven sources with Gaussian samples (standard deviation 1) are to be grouped into three\n"
        "clusters by single linkage of their means. How many samples must one take, and of which\n"
        "source, to be wrong with probability at most delta?\n"
    )
    deltas = [0.1, 0.01, 0.001]
    names = [str(arm) for arm in range(instance.n_arms)]
    print_bound(Described(instance, names, deltas), bound, [(d, bound.samples(d)) for d in deltas])
    assert nearest.alternative is not None
    assert nearest.rival is not None
    means = ", ".join(number(float(x)) for x in nearest.alternative[:, 0])
    low, high = sorted(nearest.rival)
    uniform = 1 / bound.psi_uniform
    out.print(
        "\nAny method must be able to tell the true means from the nearest means with other\n"
        f"clusters, such as {means},\n"
        f"where arms {low} and {high} are as close to each other as two parts of a cluster. That\n"
        "takes T* log(1/delta) samples, spread as the bars show. Equal shares would need "
        f"{uniform / bound.t_star - 1:.0%}\n"
        f"more: {number(uniform)}, which is the figure that the paper prints as its lower bound."
    )
