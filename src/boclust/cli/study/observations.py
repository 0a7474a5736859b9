"""The rows of a file as values of a study."""

import hashlib
from pathlib import Path
from typing import Any

from boclust._validate import fail
from boclust.cli.records import choose
from boclust.cli.study.files import Rows
from boclust.cli.study.values import named_arm, number
from boclust.cli.terminal import plain
from boclust.study import Study


def observations(
    study: Study,
    path: Path,
    found: Rows,
    arm: str | None,
    values: tuple[str, ...],
    key: str | None,
) -> tuple[list[tuple[Any, ...]], list[str]]:
    """The rows as ``Study.tell_many`` takes them, and where they are written."""
    arm, values, key = _chosen(path, found.columns, arm, values, key)
    arms, samples = found.column(arm), zip(*map(found.column, values), strict=True)
    nothing: list[Any] = [None] * len(arms)
    keys = nothing if key is None else found.column(key)
    status = found.column("status") if {"seq", "status"} <= set(found.columns) else nothing
    mark = f"{plain(path.name)} {hashlib.sha256(path.read_bytes()).hexdigest()[:16]}"
    names = {one.name for one in study.arms}
    rows, places = [], []
    for i, (place, sample) in enumerate(zip(found.places, samples, strict=True)):
        if status[i] == "voided":
            continue
        if arms[i] is None:
            raise fail("file", f"{place}: the arm is missing", f"a name in column {arm!r}")
        told = [_number(place, *cell) for cell in zip(values, sample, strict=True)]
        unique = f"{mark} {i + 1}" if keys[i] is None else str(keys[i])
        rows.append((named_arm(names, arms[i]), told[0] if len(told) == 1 else told, unique))
        places.append(place)
    return rows, places


def _chosen(
    path: Path, columns: list[str], arm: str | None, values: tuple[str, ...], key: str | None
) -> tuple[str, tuple[str, ...], str | None]:
    """The columns of arms, values and keys: as told, or by their usual names."""
    usual_arm, usual_values = _usual(columns)
    if len(columns) > 2 or (usual_arm and usual_values):
        arm, values = arm or usual_arm, values or usual_values
    arm, values = choose(path, columns, arm, values)
    if key is None and "key" in columns:
        key = "key"
    if key is not None and columns.count(key) != 1:
        raise fail("key", f"{key!r} is not one column of {path}", ", ".join(map(repr, columns)))
    return arm, values, key


def _usual(columns: list[str]) -> tuple[str | None, tuple[str, ...]]:
    """The columns as ``export`` calls them, where they are there."""
    vectors = tuple(f"value_{i}" for i in range(len(columns)) if f"value_{i}" in columns)
    values = ("value",) if "value" in columns else vectors
    return ("arm" if "arm" in columns else None), values


def _number(place: str, column: str, cell: Any) -> Any:
    """A value of one cell; text as in CSV must be a number, all else the study will judge."""
    if cell is None:
        raise fail("file", f"{place}: the value is missing", f"a number in column {column!r}")
    return number(f"{place}, column {column!r}", cell) if isinstance(cell, str) else cell
