"""A simulation kept in a folder: a manifest, and a Parquet shard for each task that is finished."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

from boclust._files import Rows, appearing, read_rows, write_rows
from boclust._validate import fail
from boclust.simulation.engines import Runner
from boclust.simulation.job import Job
from boclust.simulation.results import Results
from boclust.simulation.tasks import Task
from boclust.simulation.versions import differences, versions

MANIFEST = "manifest.json"


class Sweep:
    """Tasks, and the shards of those that are finished.

    A shard is named by all that it depends on and appears whole: done twice, it is the same file.
    """

    def __init__(self, folder: Path, manifest: dict[str, Any]) -> None:
        self.folder = folder
        self.manifest = manifest
        #: For each task its algorithm, its trials (first, end, step) and the name of its shard.
        self.entries: list[dict[str, Any]] = manifest["tasks"]

    @classmethod
    def read(cls, folder: Path) -> "Sweep | None":
        """The sweep that a folder holds, if there is one."""
        path = folder / MANIFEST
        try:
            return cls(folder, json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise fail("out", f"cannot read {path}: {error}", "a folder of a sweep") from None

    @classmethod
    def found(cls, folder: Path, configuration: dict[str, Any], wanted: bool) -> "Sweep | None":
        """The sweep to go on with, or None and a folder that there is from now on."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = f"cannot make the folder {folder}: {error.strerror}"
            raise fail("out", reason, "a folder that can be written") from None
        sweep = cls.read(folder)
        if sweep is not None and not wanted:
            raise fail("out", f"{folder} holds a sweep already", "another folder, or resume")
        if sweep is not None:
            sweep.check(configuration)
        return sweep

    @classmethod
    def begin(cls, folder: Path, configuration: dict[str, Any], tasks: Sequence[Task]) -> "Sweep":
        """Write the manifest; whoever comes first does, others take what it says."""
        made = versions()
        key = _hash([configuration, made])
        jobs = {task.job.name: task.job for task in tasks}
        manifest = {
            "hash": key,
            "configuration": configuration,
            "versions": made,
            "guarantees": {n: list(job.guarantees.items()) for n, job in jobs.items()},
            "tasks": [_entry(task, key, list(jobs).index(task.job.name)) for task in tasks],
        }
        with suppress(FileExistsError), appearing(folder / MANIFEST, first=True) as part:
            part.write_text(json.dumps(manifest, indent=1), encoding="utf-8")
        sweep = cls.read(folder)
        assert sweep is not None
        sweep.check(configuration)
        return sweep

    def check(self, configuration: dict[str, Any]) -> None:
        """Refuse to go on with another configuration or with other versions."""
        there = self.manifest["configuration"] | self.manifest["versions"]
        if told := differences(there, configuration | versions(), "there", "here"):
            raise fail("out", f"{self.folder} holds another sweep: {told}", "another folder")

    def go_on(self, run: Runner, jobs: dict[str, Job], shard: tuple[int, int]) -> None:
        """Do what is missing of every n-th task from the i-th on, each kept once it is finished."""
        i, n = shard
        missing = [at for at in range(i - 1, len(self.entries), n) if self.rows(at) is None]
        entries = [self.entries[at] for at in missing]
        tasks = [Task(jobs[e["algorithm"]], range(*e["trials"])) for e in entries]
        for number, rows in run(tasks):
            self.keep(missing[number], rows)

    def rows(self, number: int) -> Rows | None:
        """What a task found, or None where it is not finished."""
        return read_rows(self.folder / self.entries[number]["shard"])

    def keep(self, number: int, rows: Rows) -> None:
        """Write the shard of a task."""
        entry = self.entries[number]
        write_rows(self.folder / entry["shard"], rows, {"hash": self.manifest["hash"], **entry})

    def results(self) -> Results:
        """Of all tasks that are finished, in the order of the manifest."""
        found = [self.rows(number) for number in range(len(self.entries))]
        finished = [rows for rows in found if rows is not None]
        guarantees = {name: dict(said) for name, said in self.manifest["guarantees"].items()}
        rows = list(chain.from_iterable(finished))
        return Results(rows, guarantees, (len(finished), len(found)))


def configuration(jobs: Mapping[str, Job], numbers: range) -> dict[str, Any]:
    """All that results depend on, beside the versions."""
    job = next(iter(jobs.values()))
    instance = job.instance
    return {
        "means": instance.means.tolist(),
        "n_clusters": instance.n_clusters,
        "family": repr(instance.family),
        "samples": job.source.fingerprint,
        "algorithms": list(jobs),
        "deltas": list(job.guarantees),
        "trials": [numbers.start, numbers.stop, numbers.step],
        "seed": job.seed,
        "max_samples": job.max_samples,
    }


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _entry(task: Task, key: str, algorithm: int) -> dict[str, Any]:
    numbers = task.numbers
    return {
        "algorithm": task.job.name,
        "trials": [numbers.start, numbers.stop, numbers.step],
        "shard": f"{key[:12]}-{algorithm}-{numbers[0]}-{numbers[-1]}.parquet",
    }
