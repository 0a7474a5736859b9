"""``boclust demo``: the paper's 7-arm instance, explained, simulated and plotted."""

import atexit
import gc
import multiprocessing
import os
import signal
import sys
import tempfile
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

    from boclust import Clustering, Instance, LowerBound, Results, Study

_DELTA = 0.01
_DELTAS = (0.1, 0.01, 0.001)
_ALGORITHMS = ("span", "atboc", "lucbboc-ucb", "rr")
_IMAGES = (".png", ".svg", ".pdf", ".jpg", ".jpeg", ".webp")
_SEVEN_TOWNS = ("Ayr", "Bude", "Cromer", "Deal", "Exmouth", "Fowey", "Goole")
_TITLE = "Mean samples until seven sources are grouped into three clusters"


@click.command(name="demo", context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("boclust-demo.png"), show_default=True,
    help="Image file of the plot.",
)  # fmt: skip
@click.option(
    "--trials", type=click.IntRange(2), default=4, show_default=True,
    help="Simulated runs per algorithm.",
)  # fmt: skip
@click.option("--no-plot", is_flag=True, help="Do not draw the plot.")
@click.option(
    "--serve", is_flag=True,
    help="Show a live study with simulated samples in the browser instead, until Ctrl-C.",
)  # fmt: skip
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
    help="Port for --serve (0 picks a free one).",
)  # fmt: skip
@click.option(
    "--pace", type=click.FloatRange(0.1, 1000), default=5, show_default=True,
    help="Samples per second for --serve.",
)  # fmt: skip
def command(out: Path, trials: int, no_plot: bool, serve: bool, port: int, pace: float) -> None:
    """Show the paper's 7-arm instance: an adaptive run, four algorithms, and the lower bound.

    \b
    boclust demo --trials 200 --out demo.png
    boclust demo --serve
    """
    from boclust import Instance
    from boclust.cli.terminal import compiling, console

    instance = Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], n_clusters=3)
    if serve:
        _serve_study(instance, port, pace)
        return
    if not no_plot:
        _check_image(out)
    screen = console()
    screen.print(
        "Seven sources, called arms, give noisy numbers (Gaussian, standard deviation 1). boclust\n"
        "groups them into three clusters: two arms belong together if their means are close, or\n"
        "if a chain of other arms connects them. How many samples are needed, and of which arms,\n"
        "to be wrong with probability at most delta?\n"
    )
    with compiling() as fill, _second_process() as second, ThreadPoolExecutor() as aside:
        compiled = second.submit(_compile_some, instance) if fill else None
        if not no_plot:
            second.submit(_load_drawing)
        from boclust import lower_bound

        bound = lower_bound(instance)
        run = aside.submit(_adaptive_run, instance)  # the kernels of the trials release the GIL
        if compiled:
            compiled.exception()  # wait; if it failed, this process compiles
        results = _simulated(instance, trials)
        _explain_run(screen, run.result(), bound)
        _compare(screen, results, bound)
        _explain_bound(screen, bound)
        if not no_plot:
            _draw(second, out, results, bound)


def _check_image(path: Path) -> None:
    """Refuse a plot that cannot be written, before the work begins."""
    from boclust._validate import choice, invalid

    choice("out", path.suffix.lower(), _IMAGES)
    folder = path.parent
    if path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise invalid("out", "a file in a folder that can be written", path)


def _second_process() -> ProcessPoolExecutor:
    """Return a pool of one process, which starts when it gets its first task."""
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _begin_second)


def _begin_second() -> None:
    """End silently at Ctrl-C, and exit without taking Matplotlib apart, which takes 0.3 s."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    atexit.register(os._exit, 0)


def _compile_some(instance: "Instance") -> None:
    """Compile the paper's algorithms here: Numba compiles one kernel at a time per process."""
    from boclust import simulate

    gc.disable()  # see terminal.compiling
    simulate(instance, _ALGORITHMS[1:], [0.5], trials=1, max_samples=instance.n_arms)


def _load_drawing() -> None:
    for name in ("matplotlib.backends.backend_agg", "matplotlib.figure", "boclust.plots.curves"):
        import_module(name)


def _adaptive_run(instance: "Instance") -> "Clustering":
    from boclust import cluster
    from boclust.sources import Simulated

    source = Simulated(instance, seed=7)
    return cluster(source, instance.n_arms, instance.n_clusters, _DELTA, algorithm="span")


def _simulated(instance: "Instance", trials: int) -> "Results":
    from boclust import simulate

    return simulate(instance, _ALGORITHMS, _DELTAS, trials, progress=sys.stderr.isatty())


def _explain_bound(out: "Console", bound: "LowerBound") -> None:
    from boclust import infimum
    from boclust.cli.terminal import number

    instance = bound.instance
    nearest = infimum(instance.means, bound.weights, instance.n_clusters)
    assert nearest.alternative is not None
    assert nearest.rival is not None
    means = ", ".join(number(float(x)) for x in nearest.alternative[:, 0])
    low, high = sorted(nearest.rival)
    uniform = 1 / bound.psi_uniform
    out.print("\n[bold]3. The lower bound: no method needs fewer samples[/bold]\n")
    out.print(
        "A method that is wrong with probability at most delta must distinguish the true means\n"
        f"from the nearest means with other clusters, here {means}:\n"
        f"there arms {low} and {high} are as close to each other as two parts of a cluster. "
        "That takes about\n"
        f"T* log(1/delta) samples in the optimal shares above, where T* = {number(bound.t_star)} "
        f"(between\n{number(bound.t_star_low)} and {number(bound.t_star_high)}, certified), and "
        f"{uniform / bound.t_star - 1:.0%} more in equal shares.\n"
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
    out.print(
        f"The run stopped after {result.n_samples:,} samples. Guarantee: {result.guarantee}.\n"
    )


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
        "span: the algorithm of boclust; atboc: the paper's tracking; lucbboc-ucb: the paper's\n"
        "LUCB with upper confidence bounds; rr: each arm in turn. Each stops by a rule that is\n"
        f"wrong with probability at most {_DELTA:g}; ± one standard error."
    )


def _draw(
    process: ProcessPoolExecutor, path: Path, results: "Results", bound: "LowerBound"
) -> None:
    from boclust.cli.terminal import not_writable

    try:
        process.submit(_save_plot, path, *results.plotted(bound, _TITLE)).result()
    except (OSError, BrokenProcessPool) as error:
        raise not_writable(path, error) from None
    click.echo(f"Plot: {path}")


def _save_plot(path: Path, *what: Any) -> None:
    from boclust.plots.curves import draw_curves
    from boclust.plots.style import saved

    saved(draw_curves(*what), path)


def _serve_study(instance: "Instance", port: int, pace: float) -> None:
    """Serve a study in a temporary database and tell it ``pace`` simulated samples per second."""
    from boclust import Study
    from boclust.cli.terminal import compiling
    from boclust.server import create_app
    from boclust.server.process import serve

    with tempfile.TemporaryDirectory(prefix="boclust-demo-") as folder:
        url = f"sqlite:///{Path(folder) / 'demo.db'}"
        with Study.create(url, "demo", _SEVEN_TOWNS, instance.n_clusters, _DELTA) as study:
            with compiling():
                study.status()
            over = threading.Event()
            source = threading.Thread(target=_feed, args=(study, instance, pace, over))
            source.start()
            try:
                serve(
                    create_app(url), "127.0.0.1", port, without_tokens=False, log=False,
                    say=click.echo, query=f"?study={study.name}",
                )  # fmt: skip
            finally:
                over.set()
                source.join()


def _feed(study: "Study", instance: "Instance", pace: float, over: threading.Event) -> None:
    """Answer asks at the given pace until the study ends; wait while it is paused."""
    from boclust import StudyStoppedError
    from boclust.sources import Simulated
    from boclust.study import NothingToAskError, StudyPausedError

    sample = Simulated(instance, seed=7)
    while not over.wait(1 / pace):
        try:
            ask = study.ask(client="simulation")
        except (StudyPausedError, NothingToAskError):
            continue
        except StudyStoppedError as end:
            click.echo(f"The study has ended ({end.how}); the page stays until Ctrl-C.")
            return
        study.tell(ask, sample(ask.arm), client="simulation")
