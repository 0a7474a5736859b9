"""Made up results of tasks, so that figures can be tested without simulating anything."""

import numpy as np


def made_up(task, **factors):
    """Return rows such as a task would give, from its description alone.

    ``factors`` say how many times as many samples, or as much time, a rule whose name contains the
    word needs.
    """
    what = task.description
    if "means of" in what:
        return [
            {"user": str(i), "cluster": c, "x": 2.0 + i / 3, "y": 4.0 - i / 4}
            for i, c in enumerate([0, 0, 1, 1, 2, 3])
        ]
    if "time of" in what:
        size = what.get("M", 2 * what.get("value", 2))
        slow = 50.0 if "average" in what["time of"] or "ATBOC" in what["time of"] else 1.0
        slow *= _factor(what["time of"], factors)
        return [{"seconds": 1e-6 * slow * size**1.5 * (1 + 0.01 * i)} for i in range(3)]
    if what["algorithm"] == "in turn":
        return [{"threshold": n, "wrong": 200} for n in what["thresholds"]]
    rng = np.random.default_rng(len(what["algorithm"]) + what["trials"][0])
    rows = []
    first, end = what["trials"]
    arms = {"seven": 7, "six": 6}.get(what["problem"].split()[0], 4)
    for trial in range(first, min(end, first + 80)):
        luck = rng.normal()
        for threshold in what["thresholds"]:
            fixed = what["fixed_size"]
            samples = threshold if fixed else 40 + 80 * threshold + 5 * luck
            samples *= 1.0 if fixed else _factor(what["algorithm"], factors)
            error = np.exp(-2 * threshold / what["thresholds"][-1])
            rows.append(
                {
                    "threshold": threshold, "trial": trial, "samples": max(int(samples), 7),
                    "correct": bool(rng.random() >= error), "ended": True, "pulls": [1] * arms,
                }
            )  # fmt: skip
    return rows


def _factor(name, factors):
    return next((factor for word, factor in factors.items() if word in name), 1.0)
