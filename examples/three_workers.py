"""Three processes work on one study; one of them is killed, and nothing is lost."""

import itertools
import multiprocessing
import os
import signal
import sys
import tempfile

import numpy as np

import boclust

MEANS = {"north": 0.0, "south": 0.5, "east": 1.6, "west": 2.1}


def work(url: str, worker: int) -> None:
    """Ask, measure and tell until the study ends."""
    noise = np.random.default_rng(worker)
    with boclust.Study.open(url, "tides") as study:
        try:
            for number in itertools.count():
                ask = study.ask(client=f"worker {worker}")
                if (worker, number) == (2, 10):
                    os.kill(os.getpid(), signal.SIGKILL)  # while it holds an ask
                study.tell(ask, noise.normal(MEANS[ask.name]))
        except boclust.StudyStoppedError:
            return


if __name__ == "__main__":
    folder = tempfile.mkdtemp()
    url = f"sqlite:///{folder}/tides.db"
    study = boclust.Study.create(url, "tides", list(MEANS), n_clusters=2, delta=0.05)
    workers = [multiprocessing.Process(target=work, args=(url, i)) for i in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    status = study.status()
    print(f"{status.state} after {status.samples} samples: {status.clusters}")
    print(f"Workers ended with {[worker.exitcode for worker in workers]}")
    print(f"Guarantee: {status.guarantee}")
    print(f"The log agrees: {study.verify().ok}")
    sys.exit(0 if status.state == "certified" else 1)
