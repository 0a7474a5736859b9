"""A simulation kept in a folder: a manifest, and one Parquet shard per finished task."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from boclust._files import appearing, read_table, write_table
from boclust._validate import invalid
from boclust.simulation.engines import Runner, Task
from boclust.simulation.results import Results
from boclust.simulation.trials import Job, Trials, schema
from boclust.simulation.versions import differences, versions

MANIFEST = "manifest.json"


class Sweep:
    """Tasks, and the shards of the finished ones.

    A shard's name contains a hash of all that it depends on, and a shard appears whole: two
    processes that run the same task write the same file.
    """

    def __init__(self, folder: Path, manifest: dict[str, Any]) -> None:
        self.folder = folder
        self.manifest = manifest
        #: The algorithm, the trials (start, stop, step) and the name of the shard of each task.
        self.entries: list[dict[str, Any]] = manifest["tasks"]

    @classmethod
    def read(cls, folder: Path) -> "Sweep | None":
        """The sweep in a folder, or None if there is no manifest."""
        path = folder / MANIFEST
        try:
            return cls(folder, json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            got = f"{folder}: cannot read {path}: {error}"
            raise invalid("out", "a folder with a readable manifest", got) from None

    @classmethod
    def find(cls, folder: Path, configuration: dict[str, Any], resume: bool) -> "Sweep | None":
        """The sweep to continue, or None and an empty folder to begin in."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise invalid("out", "a writable folder", f"{folder}: {error.strerror}") from None
        sweep = cls.read(folder)
        if sweep is not None and not resume:
            raise invalid("out", "a folder without a sweep unless resume is given", folder)
        if sweep is not None:
            sweep.check(configuration)
        return sweep

    @classmethod
    def begin(cls, folder: Path, configuration: dict[str, Any], tasks: Sequence[Task]) -> "Sweep":
        """Write the manifest. If another process was faster, use its manifest."""
        here = versions()
        key = _hash([configuration, here])
        jobs = {task.job.name: task.job for task in tasks}
        manifest = {
            "hash": key,
            "configuration": configuration,
            "versions": here,
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
        """Raise an error if the folder holds another configuration or other versions."""
        there = self.manifest["configuration"] | self.manifest["versions"]
        if different := differences(there, configuration | versions(), "there", "here"):
            raise invalid("out", "a folder of the same sweep", f"{self.folder}: {different}")

    def run_missing(self, run: Runner, jobs: dict[str, Job], shard: tuple[int, int]) -> None:
        """Run the unfinished tasks among every n-th from the i-th on; keep each when it is done."""
        i, n = shard
        missing = [at for at in range(i - 1, len(self.entries), n) if self.table(at) is None]
        entries = [self.entries[at] for at in missing]
        tasks = [Task(jobs[e["algorithm"]], range(*e["trials"])) for e in entries]
        for number, trials in run(tasks):
            self.keep(missing[number], trials)

    def table(self, number: int) -> Any | None:
        """The results of a task as an Arrow table, or None if its shard is missing or damaged."""
        table = read_table(self.folder / self.entries[number]["shard"])
        # Parquet renames the entries of lists, which equality ignores
        return table.cast(schema()) if table is not None and table.schema == schema() else None

    def keep(self, number: int, trials: Trials) -> None:
        """Write the shard of a task."""
        entry = self.entries[number]
        what = {"hash": self.manifest["hash"], **entry}
        write_table(self.folder / entry["shard"], trials.table(), what)

    def results(self) -> Results:
        """The results of all finished tasks, in the order of the manifest."""
        import pyarrow

        tables = [self.table(number) for number in range(len(self.entries))]
        finished = [table for table in tables if table is not None]
        guarantees = {name: dict(said) for name, said in self.manifest["guarantees"].items()}
        table = pyarrow.concat_tables([schema().empty_table(), *finished])
        return Results(table, guarantees, (len(finished), len(tables)))


def configuration(jobs: Mapping[str, Job], numbers: range) -> dict[str, Any]:
    """All that results depend on, except for the versions."""
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
