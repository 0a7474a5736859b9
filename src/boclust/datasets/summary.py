"""The text that ``print(dataset)`` shows."""

import textwrap
from typing import TYPE_CHECKING

from boclust import Instance
from boclust._validate import FloatArray

if TYPE_CHECKING:
    from boclust.datasets.dataset import Dataset

_MOST_ARMS = 24  # further arms and coordinates are left out
_MOST_COORDINATES = 3


def summary(dataset: "Dataset") -> str:
    """Describe the arms in a table, the distances, and the assumptions that hold."""
    sizes, dim = dataset.counts, dataset.dim
    records = f"{sizes.min()} to {sizes.max()}" if sizes.min() < sizes.max() else f"{sizes[0]}"
    numbers = "1 number" if dim == 1 else f"{dim} numbers"
    instance = Instance(dataset.means, dataset.n_clusters)
    scale = dataset.scale
    known = (
        "" if scale.bounds is None else f", values in [{scale.bounds[0]:g}, {scale.bounds[1]:g}]"
    )
    lines = [
        f"{dataset.name}: {len(sizes)} arms, {records} records each of {numbers}, "
        f"{dataset.n_clusters} clusters",
        *_table(dataset),
        f"Distances of means: {instance.d_intra:.3g} inside clusters (d_intra), "
        f"{instance.d_inter:.3g} between clusters (d_inter)",
        f"Spread: largest variance in a direction {scale.largest_eigenvalue:.3g}, "
        f"mean variance {scale.mean_variance:.3g}{known}",
    ]
    sentences = [*dataset.assumptions, *([f"Source: {dataset.source}."] if dataset.source else [])]
    for sentence in sentences:
        lines += textwrap.wrap(sentence, 96, initial_indent="- ", subsequent_indent="  ")
    return "\n".join(lines)


def _table(dataset: "Dataset") -> list[str]:
    rows = [("arm", "cluster", "records", "mean", "deviation")]
    for i, arm in enumerate(dataset.arms[:_MOST_ARMS]):
        mean, deviation = _numbers(dataset.means[i]), _numbers(dataset.deviations[i])
        rows.append((arm, str(dataset.labels[i]), str(dataset.counts[i]), mean, deviation))
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    lines = []
    for name, *cells in rows:
        right = [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
        lines.append("  ".join(["", name.ljust(widths[0]), *right]))
    if len(dataset.arms) > _MOST_ARMS:
        lines.append(f"  ... and {len(dataset.arms) - _MOST_ARMS} more")
    return lines


def _numbers(values: FloatArray) -> str:
    """Write the first few coordinates."""
    more = " ..." if len(values) > _MOST_COORDINATES else ""
    return " ".join(f"{value:7.3f}" for value in values[:_MOST_COORDINATES]) + more
