"""Write ``frozen.json``: instances with the values of psi from the slow reference.

Run ``python -m oracles.freeze [1d] [family] [nd] [hard]`` from the ``tests`` directory.  Each part
replaces its own records and keeps those of the other parts.  All seeds are fixed.

A record holds ``id, kind, d, means, labels, n_clusters, weights, value`` with ``sigma = 1``;
``kind`` is "gaussian" or "family"; family records also hold ``family, space``.  A record has
``"sure": false`` if two searches from different starts did not agree, so that ``value`` may
lie above the global minimum.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy.cluster.hierarchy import cut_tree, linkage

from .psi import Floats, cost, is_alternative, make_family, psi_1d, psi_family, psi_nd

PATH = Path(__file__).with_name("frozen.json")
SMALLEST_VALUE = 1e-12
Record = dict[str, Any]

# ------------------------------------------------------------------------------------------
# Instances
# ------------------------------------------------------------------------------------------


def _uniform(rng: Generator, arms: int, d: int) -> Floats:
    return rng.uniform(-3.0, 3.0, (arms, d))


def _blobs(rng: Generator, arms: int, d: int) -> Floats:
    centres = rng.normal(scale=3.0, size=(int(rng.integers(2, arms)), d))
    return centres[rng.integers(0, len(centres), arms)] + rng.normal(scale=0.4, size=(arms, d))


def _chain(rng: Generator, arms: int, d: int) -> Floats:
    steps = rng.normal(size=(arms, d))
    steps *= rng.uniform(0.5, 1.5, (arms, 1)) / np.linalg.norm(steps, axis=1, keepdims=True)
    steps[:, 0] = np.abs(steps[:, 0]) + 0.2
    return np.cumsum(steps, axis=0)


def _grid(rng: Generator, arms: int, d: int) -> Floats:
    """Points of a coarse grid: many ties, sometimes coincident means."""
    side = 12 if d == 1 else 5 if d == 2 else 3
    return rng.integers(0, side, (arms, d)).astype(float)


def _coincident(rng: Generator, arms: int, d: int) -> Floats:
    points = _uniform(rng, arms, d)
    points[rng.integers(1, arms)] = points[0]
    return points


def _nearly_equal_gaps(rng: Generator, arms: int, d: int) -> Floats:
    gaps = 1.0 + 0.05 * rng.uniform(-1.0, 1.0, arms)
    points = np.zeros((arms, d))
    points[:, 0] = np.cumsum(gaps)
    return points + 0.05 * rng.normal(size=(arms, d)) * (np.arange(d) > 0)


def _dense(rng: Generator, arms: int, d: int) -> Floats:
    """A dense ball of most of the arms and a few arms around it: splits with many close pairs."""
    points = rng.normal(size=(arms, d))
    lengths = rng.uniform(0.6, 1.0, arms)
    lengths[: max(1, arms // 4)] = rng.uniform(2.0, 4.0)
    return np.asarray(points * (lengths / np.linalg.norm(points, axis=1))[:, None])


SHAPES: list[Callable[[Generator, int, int], Floats]] = [
    _uniform,
    _blobs,
    _chain,
    _uniform,
    _nearly_equal_gaps,
    _blobs,
    _dense,
    _grid,
    _chain,
    _dense,
    _coincident,
]


def _weights(rng: Generator, arms: int, kind: int) -> Floats:
    """Uniform-ish, log-uniform in [1e-6, 1], or one or two arms at 1e-6 and the others about 1."""
    if kind == 0:
        weights = rng.dirichlet(np.full(arms, 5.0))
    elif kind == 1:
        weights = 10.0 ** rng.uniform(-6.0, 0.0, arms)
    else:
        weights = rng.uniform(0.5, 1.0, arms)
        weights[rng.choice(arms, int(rng.integers(1, 3)), replace=False)] = 1e-6
    return np.array([float(f"{w:.6g}") for w in weights])


def _single_linkage(points: Floats, n_clusters: int) -> list[int] | None:
    """Labels of the cut to ``n_clusters`` clusters; None if a tie makes the cut ambiguous."""
    tree = linkage(points, "single")
    below, above = tree[len(points) - n_clusters - 1, 2], tree[len(points) - n_clusters, 2]
    if above - below <= 1e-9 * above:
        return None
    labels = cut_tree(tree, n_clusters).ravel()
    assert len(set(labels.tolist())) == n_clusters
    assert not is_alternative(labels, points)
    return [int(label) for label in labels]


def _instances(seed: int, d: int, largest: int) -> Iterator[tuple[Floats, list[int], int, Floats]]:
    """Endless stream of means, labels, number of clusters and weights."""
    rng = np.random.default_rng(seed)
    count = 0
    while True:
        arms = int(rng.integers(3, largest + 1))
        n_clusters = 2 + int((arms - 2) * rng.uniform() ** 2)  # few clusters more often
        shape = SHAPES[(count // 3) % len(SHAPES)]
        means = np.round(shape(rng, arms, d), 6)
        weights = _weights(rng, arms, count % 3)
        labels = _single_linkage(means, n_clusters)
        if labels is None:
            continue
        count += 1
        yield means, labels, n_clusters, weights


def _crowd(rng: Generator, d: int, kind: int) -> tuple[Floats, Floats]:
    """Means and weights of one crowded cluster of light arms and a heavy blob beside it.

    The cheap alternatives split the crowd, so that many cross pairs are tight at once.  Even
    kinds are random; odd kinds are corners of a cross-polytope (a square if d = 2) around its
    centre, with many equal distances.
    """
    others = int(rng.integers(1, 3))
    if kind % 2 == 0:
        size = int(rng.integers(4, 9 - others))
        crowd = rng.normal(size=(size, d))
        crowd *= rng.uniform(0.5, 1.0, (size, 1)) / np.linalg.norm(crowd, axis=1, keepdims=True)
    else:
        corners = np.vstack([np.eye(d), -np.eye(d)])[: 8 - others - 1]
        crowd = np.vstack([np.zeros(d), corners])
    away = np.zeros(d)
    away[0] = rng.uniform(2.2, 4.0)
    blob = away + rng.uniform(-0.3, 0.3, (others, d))
    light = [
        np.full(len(crowd), 1e-2),
        10.0 ** rng.uniform(-6.0, -1.0, len(crowd)),
        np.append(1e-6, rng.uniform(0.5, 1.0, len(crowd) - 1)),
    ][kind % 3]
    return np.vstack([crowd, blob]), np.append(light, rng.uniform(0.5, 1.0, others))


# ------------------------------------------------------------------------------------------
# Records
# ------------------------------------------------------------------------------------------


def _record(
    ident: str,
    kind: str,
    means: Floats,
    labels: list[int],
    n_clusters: int,
    weights: Floats,
    value: float,
) -> Record:
    return {
        "id": ident,
        "kind": kind,
        "d": means.shape[1],
        "means": means.tolist(),
        "labels": labels,
        "n_clusters": n_clusters,
        "weights": weights.tolist(),
        "value": value,
    }


def records_1d(count: int = 200) -> Iterator[Record]:
    """Instances with d = 1."""
    done = 0
    for means, labels, n_clusters, weights in _instances(101, 1, 8):
        if done == count:
            return
        value, point = psi_1d(means, weights, labels)
        if value < SMALLEST_VALUE:
            continue
        assert is_alternative(labels, point, 1e-9)
        assert abs(cost(means, point, weights) - value) <= 1e-12 * value
        yield _record(f"1d-{done:03d}", "gaussian", means, labels, n_clusters, weights, value)
        done += 1


def records_nd(d: int, count: int = 100) -> Iterator[Record]:
    """Instances with d > 1."""
    done = 0
    for means, labels, n_clusters, weights in _instances(1000 + d, d, 8):
        if done == count:
            return
        record = _searched_twice(f"{d}d-{done:03d}", means, labels, n_clusters, weights)
        if record["value"] >= SMALLEST_VALUE:
            yield record
            done += 1


def records_hard(d: int, count: int = 20) -> Iterator[Record]:
    """Instances with d > 1 in which a crowded cluster is split."""
    rng = np.random.default_rng(2000 + d)
    done = tried = 0
    while done < count:
        means, weights = _crowd(rng, d, tried)
        tried += 1
        means = np.round(means, 6)
        weights = np.array([float(f"{w:.6g}") for w in weights])
        labels = _single_linkage(means, 2)
        if labels is not None:
            yield _searched_twice(f"hard-{d}d-{done:02d}", means, labels, 2, weights)
            done += 1


def _searched_twice(
    ident: str, means: Floats, labels: list[int], n_clusters: int, weights: Floats
) -> Record:
    """The record of an instance with d > 1, from two searches with different starts."""
    first, point = psi_nd(means, weights, labels, seed=0)
    second, other = psi_nd(means, weights, labels, starts=200, seed=1)
    value, point = (first, point) if first <= second else (second, other)
    assert is_alternative(labels, point, 1e-9)
    record = _record(ident, "gaussian", means, labels, n_clusters, weights, value)
    if abs(first - second) > 1e-8 * value:
        record["sure"] = False
    return record


def _family_means(rng: Generator, family: str, arms: int) -> Floats:
    if family == "bernoulli":
        means = rng.uniform(0.03, 0.97, arms)
    elif family == "poisson":
        means = np.exp(rng.uniform(np.log(0.3), np.log(20.0), arms))
    else:
        means = np.exp(rng.uniform(np.log(0.2), np.log(8.0), arms))
    return np.round(means, 6)


def records_family(family: str, seed: int, count: int = 20) -> Iterator[Record]:
    """Exponential families: two thirds in natural space, one third in mean space."""
    rng = np.random.default_rng(seed)
    done = 0
    while done < count:
        arms = int(rng.integers(3, 7))
        n_clusters = int(rng.integers(2, arms))
        means = _family_means(rng, family, arms)
        weights = _weights(rng, arms, (done // 3) % 3)
        space = "mean" if done % 3 == 2 else "natural"
        labels = _single_linkage(make_family(family, space).to_x(means)[:, None], n_clusters)
        if labels is None:
            continue
        value, point = psi_family(means, weights, labels, family, space)
        if value < SMALLEST_VALUE:
            continue
        assert is_alternative(labels, make_family(family, space).to_x(point), 1e-9)
        record = _record(
            f"{family}-{done:02d}", "family", means[:, None], labels, n_clusters, weights, value
        )
        record |= {"family": family, "space": space}
        again = psi_family(means, weights, labels, family, space, starts=40)[0]
        if abs(again - value) > 1e-9 * value:
            record["value"] = min(value, again)
            record["sure"] = False
        yield record
        done += 1


# ------------------------------------------------------------------------------------------
# File
# ------------------------------------------------------------------------------------------


def _write(records: list[Record]) -> None:
    lines = ",\n".join(json.dumps(r, separators=(",", ":")) for r in records)
    partial = PATH.with_suffix(".tmp")
    partial.write_text(f"[\n{lines}\n]\n")
    partial.replace(PATH)


PARTS: dict[str, tuple[str, list[Callable[[], Iterator[Record]]]]] = {
    "1d": ("1d-", [records_1d]),
    "family": (
        "bernoulli- poisson- exponential-",
        [
            lambda: records_family("bernoulli", 201),
            lambda: records_family("poisson", 202),
            lambda: records_family("exponential", 203),
        ],
    ),
    "nd": (
        "2d- 3d- 5d-",
        [lambda: records_nd(2), lambda: records_nd(3), lambda: records_nd(5)],
    ),
    "hard": (
        "hard-",
        [lambda: records_hard(2), lambda: records_hard(3), lambda: records_hard(5)],
    ),
}


def main(parts: list[str]) -> None:
    """Recompute the parts named, writing the file after every few records."""
    for part in parts:
        prefixes, sources = PARTS[part]
        old: list[Record] = json.loads(PATH.read_text()) if PATH.exists() else []
        kept = [r for r in old if not r["id"].startswith(tuple(prefixes.split()))]
        new: list[Record] = []
        streams = [source() for source in sources]
        begin = time.perf_counter()
        while streams:
            for stream in list(streams):
                record = next(stream, None)
                if record is None:
                    streams.remove(stream)
                    continue
                new.append(record)
                if len(new) % 15 == 0:
                    _write(kept + new)
        new.sort(key=lambda r: r["id"])
        _write(kept + new)
        unsure = sum(not r.get("sure", True) for r in new)
        seconds = time.perf_counter() - begin
        print(f"{part}: {len(new)} records, {unsure} not sure, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or list(PARTS))
