"""``boclust demo``: the paper's 7-arm instance, explained, sampled and drawn."""

import atexit
import gc
import multiprocessing
import os
import signal
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

    from boclust.psi.bound import LowerBound
    from boclust.run.cluster import Clustering
    from boclust.problem.instance import Instance
    from boclust.simulation import Results

_DELTA = 0.01
_DELTAS = (0.1, 0.01, 0.001)
_ALGORITHMS = ("span", "atboc", "lucbboc-ucb", "rr")
_IMAGES = (".png", ".svg", ".pdf", ".jpg", ".jpeg", ".webp")
_TITLE = "Mean samples until seven sources are grouped into three clusters"


@click.command(name="demo", context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("boclust-demo.png"), show_default=True,
    help="Where the plot is written.",
)  # fmt: skip
@click.option(
    "--trials", type=click.IntRange(2), default=4, show_default=True,
    help="Simulated runs of each algorithm.",
)  # fmt: skip
@click.option("--no-plot", is_flag=True, help="Draw no plot.")
@click.option(
    "--serve", is_flag=True,
    help="Instead: a live study in a browser, fed by simulated sources until Ctrl-C.",
)  # fmt: skip
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
    help="Of --serve; 0 takes any that is free.",
)  # fmt: skip
@click.option(
    "--pace", type=click.FloatRange(0.1, 1000), default=5, show_default=True,
    help="Of --serve: samples a second.",
)  # fmt: skip
def command(out: Path, trials: int, no_plot: bool, serve: bool, port: int, pace: float) -> None:
    """The paper's 7-arm instance: one adaptive run, the lower bound, four algorithms compared.

    \b
    boclust demo --trials 200 --out demo.png
    boclust demo --serve
    """
    from boclust.cli.terminal import compiling, console
    from boclust.problem.instance import Instance

    instance = Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], n_clusters=3)
    if serve:
        from boclust.cli.live import show_live

        show_live(instance, _DELTA, port, pace)
        return
    if not no_plot:
        _check_image(out)
    screen = console()
    screen.print(
        "Seven sources, called arms, give noisy numbers (Gaussian, standard deviation 1). They\n"
        "are to be grouped into three clusters: arms belong together if their means are near,\n"
        "directly or by way of others. How many samples must one take, and of which arm, to be\n"
        "wrong with probability at most delta?\n"
    )
    with compiling() as fill, _second_process() as second, ThreadPoolExecutor() as aside:
        compiled = second.submit(_compile_atboc) if fill else None
        if not no_plot:
            second.submit(_load_drawing)
        from boclust.psi.bound import lower_bound

        bound = lower_bound(instance)
        run = aside.submit(_adaptive_run, instance)  # the kernels of the trials leave it the GIL
        if compiled:
            compiled.exception()  # waits; what went wrong there is done, or said, here
        results = _simulated(instance, trials)
        _explain_run(screen, run.result(), bound)
        _compare(screen, results, bound)
        _explain_bound(screen, bound)
        if not no_plot:
            _draw(second, out, results, bound)


def _check_image(path: Path) -> None:
    """Refuse, before the work, what cannot be drawn after it."""
    from boclust._validate import choice, fail

    choice("out", path.suffix.lower(), _IMAGES)
    folder = path.parent
    if path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise fail("out", f"cannot write {path}", "a file in a folder that can be written")


def _second_process() -> ProcessPoolExecutor:
    """One that starts when it is needed."""
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _begin_second)


def _begin_second() -> None:
    """Die of Ctrl-C without a word; end at once: to take matplotlib apart takes 0.3 seconds."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    atexit.register(os._exit, 0)


def _compile_atboc() -> None:
    """A third of all that is compiled; Numba compiles one kernel at a time."""
    from boclust.run.learner import Learner

    gc.disable()  # see terminal.compiling
    Learner(n_arms=2, n_clusters=1, delta=0.5, algorithm="atboc").tell(0, 0.0)


def _load_drawing() -> None:
    for name in ("matplotlib.backends.backend_agg", "matplotlib.figure", "boclust.plots.curves"):
        import_module(name)


def _adaptive_run(instance: "Instance") -> "Clustering":
    from boclust.run.cluster import cluster
    from boclust.sources import Simulated

    source = Simulated(instance, seed=7)
    return cluster(source, instance.n_arms, instance.n_clusters, _DELTA, algorithm="span")


def _simulated(instance: "Instance", trials: int) -> "Results":
    from boclust.simulation import simulate

    return simulate(instance, _ALGORITHMS, _DELTAS, trials, progress=sys.stderr.isatty())


def _explain_bound(out: "Console", bound: "LowerBound") -> None:
    from boclust.psi import infimum
    from boclust.cli.terminal import number

    instance = bound.instance
    nearest = infimum(instance.means, bound.weights, instance.n_clusters)
    assert nearest.alternative is not None
    assert nearest.rival is not None
    means = ", ".join(number(float(x)) for x in nearest.alternative[:, 0])
    low, high = sorted(nearest.rival)
    uniform = 1 / bound.psi_uniform
    out.print("\n[bold]3. What no method can beat: the lower bound[/bold]\n")
    out.print(
        "A method that is wrong with probability at most delta must be able to tell the true\n"
        f"means from the nearest ones with other clusters, here {means},\n"
        f"where arms {low} and {high} are as near to each other as two parts of a cluster. "
        "That takes about\n"
        f"T* log(1/delta) samples in the optimal shares above, T* = {number(bound.t_star)} "
        f"(certified between\n{number(bound.t_star_low)} and {number(bound.t_star_high)}); "
        f"in equal shares {uniform / bound.t_star - 1:.0%} more.\n"
    )


def _explain_run(out: "Console", result: "Clustering", bound: "LowerBound") -> None:
    from boclust.cli.terminal import arm_table, number

    instance = bound.instance
    out.print("[bold]1. One adaptive run[/bold] (algorithm span; it does not know the means)\n")
    shares = result.pulls / result.n_samples
    columns = {
        "mean": [number(float(x)) for x in instance.means[:, 0]],
        "estimate": [f"{x:.2f}" for x in result.estimates[:, 0]],
        "samples": [f"{n:,}" for n in result.pulls],
        "share": [f"{share:.2f}" for share in shares],
        "optimal": [f"{weight:.2f}" for weight in bound.weights],
    }
    names = [str(arm) for arm in range(instance.n_arms)]
    out.print(arm_table(result.labels, names, columns, result.pulls))
    out.print(f"It stopped after {result.n_samples:,} samples. Guarantee: {result.guarantee}.\n")


def _compare(out: "Console", results: "Results", bound: "LowerBound") -> None:
    from boclust.cli.terminal import bar, number, table

    shown = [row for row in results.summary() if row["delta"] == _DELTA]
    shown.sort(key=lambda row: _ALGORITHMS.index(row["algorithm"]))
    top = max(row["mean_samples"] for row in shown)
    trials = shown[0]["trials"]
    out.print(f"[bold]2. Samples until certified[/bold], delta = {_DELTA:g}, {trials} runs each\n")
    made = table("algorithm", "mean samples", "wrong", "")
    for row in shown:
        mean, error = row["mean_samples"], row["se_samples"]
        wrong = f"{row['errors']} of {trials - row['censored']}"
        made.add_row(row["algorithm"], f"{mean:,.0f} ± {error:,.0f}", wrong, bar(mean / top))
    made.add_section()
    least = bound.samples(_DELTA)
    made.add_row("lower bound", number(least), "", bar(least / top))
    out.print(made)
    out.print(
        "span: this package's; atboc: the paper's tracking; lucbboc-ucb: the paper's LUCB, here\n"
        "choosing by upper bounds; rr: each source in turn. Each stops by a rule that is wrong\n"
        f"with probability at most {_DELTA:g}; ± one standard error."
    )


def _draw(
    process: ProcessPoolExecutor, path: Path, results: "Results", bound: "LowerBound"
) -> None:
    from boclust._validate import fail

    try:
        process.submit(_save_plot, path, *results.plotted(bound, _TITLE)).result()
    except (OSError, BrokenProcessPool) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise fail("out", f"cannot write {path}: {reason}", "a writable place") from None
    click.echo(f"Plot: {path}")


def _save_plot(path: Path, *what: Any) -> None:
    from boclust.plots.curves import draw_curves
    from boclust.plots.style import saved

    saved(draw_curves(*what), path)
