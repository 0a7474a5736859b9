"""Samples needed, beside the lower bound and the paper's own figures, as Markdown tables.

``python benchmarks/results.py [TRIALS] > docs/results.md`` regenerates the page.
"""

import sys
from typing import Any

import numpy as np

import boclust
from boclust.sources import Beta, Simulated

Algorithm = boclust.Algorithm


def chain(steps: list[float]) -> Any:
    """Arms one step after the other, each along an axis of its own."""
    points = np.zeros((len(steps) + 1, 2 * len(steps)))
    for i, step in enumerate(steps):
        points[i + 1] = points[i]
        points[i + 1, i] += step
    return points


A = boclust.Instance([0, 0.5, 1, 2.5, 3, 4.5, 5], 3)
B = boclust.Instance([[-1, -1], [-1, -2], [1, 1], [2, 2], [3, -3], [3.5, -3]], 3)
C = boclust.Instance([0, 1, 2, 3, 5, 6], 2)
D = boclust.Instance([[0, 0, 0]] * 2 + [[0, 10, 0]] * 4 + [[0, 0, 10]] * 3 + [[5, 0, 0]] * 2, 4)
F = boclust.Instance(chain([2, 3, 2, 3, 2]), 3)
RATINGS = boclust.Instance([0.2, 0.25, 0.5, 0.55, 0.8, 0.85], 3, boclust.Bounded(0, 1))
STARS = boclust.Instance(
    [[0.2, 0.2], [0.25, 0.2], [0.5, 0.7], [0.55, 0.7], [0.8, 0.3], [0.85, 0.3]], 3,
    boclust.Bounded(0, 1),
)  # fmt: skip
CLICKS = boclust.Instance([0.1, 0.15, 0.5, 0.55, 0.9], 3, boclust.Bernoulli("mean"))

#: Points of the paper's plots: samples by log(1/delta).
PAPER = {
    ("A", "atboc"): {1: 3459.4, 23: 7515.6, 45: 11026.3, 100: 19430.3},
    ("A", "dtboc"): {1: 3386.9, 22.667: 6891.5667, 40: 9558.3},
    ("A", "watboc"): {1: 3252.4118, 22.667: 6621.5882, 40: 9286.7059},
    ("A", "atboc-1pexp"): {1: 7242.86, 45: 10922.54, 100: 15540.68},
    ("A", "lucbboc-ucb"): {1: 2917.36, 23: 7568.44, 45: 11140.48, 100: 21689.76},
    ("B", "atboc"): {1: 1216.685, 45: 3230.715, 200: 9568.005},
    ("B", "lucbboc-ucb"): {1: 1485.375, 45: 3899.91, 200: 11586.845},
    ("B", "rr"): {1: 2705.364, 45: 6303.794, 200: 17951.523},
}


def summary(instance: boclust.Instance, chosen: Any, logs: Any, trials: int, **more: Any) -> Any:
    """Rows of one algorithm by log(1/delta)."""
    deltas = [float(np.exp(-x)) for x in logs]
    more.setdefault("max_samples", 200_000)
    return boclust.simulate(instance, [chosen], deltas, trials, **more).summary()


def samples_table(trials: int) -> None:
    """delta = 0.01: every kind of algorithm, with tails."""
    print(f"## Samples at delta = 0.01\n\n{trials} trials, seed 0.\n")
    print("| instance | algorithm | mean | s.e. | q90 | max | not ended | errors | lower bound |")
    print("|---|---|---|---|---|---|---|---|---|")
    names: list[Any] = [
        "span", Algorithm("challenger", "local"), Algorithm("challenger", "mixture"),
        Algorithm("challenger", "paper"), "atboc", "lucbboc-ucb", "rr",
    ]  # fmt: skip
    for letter, instance in {"A": A, "B": B, "C": C, "D": D, "F": F}.items():
        bound = boclust.lower_bound(instance).samples(0.01)
        chosen = [*names]
        if instance.dim == 1:
            chosen += ["boc-elim"]
        if letter == "C":
            chosen += ["maxgap-elim", "maxgap-top2ucb"]
        if letter == "D":
            chosen += ["boc", "boc-slink"]
        for name in chosen:
            (row,) = summary(instance, name, [np.log(100)], trials)
            samples_row(letter, row, bound)
    (row,) = summary(CLICKS, "span", [np.log(100)], trials)
    samples_row("clicks", row, boclust.lower_bound(CLICKS).samples(0.01))
    for name in ("span", Algorithm("challenger", "local-directional")):
        source = Simulated(RATINGS, noise=Beta(sd=0.15))
        (row,) = summary(RATINGS, name, [np.log(20)], trials, source=source)
        samples_row("ratings (delta = 0.05)", row, np.nan)
    for name in ("span", Algorithm("challenger", "local-semi")):
        for label, noise in (("stars", Beta(sd=0.15)), ("stars, ends only", None)):
            source = Simulated(STARS, noise=noise)
            (row,) = summary(STARS, name, [np.log(20)], trials, source=source)
            samples_row(f"{label} (delta = 0.05)", row, np.nan)


def samples_row(letter: str, row: Any, bound: float) -> None:
    """One line."""
    shown = "" if np.isnan(bound) else f"{bound:.0f}"
    print(
        f"| {letter} | `{row['algorithm']}` | {row['mean_samples']:.0f} | {row['se_samples']:.0f} |"
        f" {row['q90_samples']:.0f} | {row['max_samples']} | {row['censored']} | {row['errors']} |"
        f" {shown} |",
        flush=True,
    )


def paper_table(trials: int) -> None:
    """The paper's algorithms beside the paper's plots, and ours at the same log(1/delta)."""
    print(f"\n## Beside the paper's plots\n\n{trials} trials, seed 0.\n")
    print("| instance | algorithm | log(1/delta) | the paper | here | difference | `span` |")
    print("|---|---|---|---|---|---|---|")
    for (letter, name), points in PAPER.items():
        instance = {"A": A, "B": B}[letter]
        ours = summary(instance, "span", points, trials)
        chosen: Any = name
        if name == "lucbboc-ucb":  # one trajectory, as the paper's curve suggests
            radius = float(np.exp(-max(points)))
            chosen = Algorithm("lucb-ucb", "paper", radius_delta=radius)
        rows = summary(instance, chosen, points, trials)
        for (x, plotted), row, own in zip(points.items(), rows, ours, strict=True):
            here = row["mean_samples"]
            print(
                f"| {letter} | `{name}` | {x:g} | {plotted:.0f} | {here:.0f} | "
                f"{100 * (here / plotted - 1):+.0f} % | {own['mean_samples']:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print("# How many samples\n\nRegenerated by `python benchmarks/results.py`.\n")
    samples_table(count)
    paper_table(count)
