"""Processes that work on a study, forked from one that has the kernels loaded already."""

import os
import sys
from multiprocessing import forkserver, get_context

import numpy as np
import pytest

import boclust
from boclust.study import StudyStoppedError, snapshot

#: A study that takes some thousand samples.
PROBLEM = dict(arms=list("abcdef"), n_clusters=3, delta=1e-3)
_MEANS = (0.0, 0.3, 2.0, 2.2, 3.0, 3.1)


def forking():
    """A ``multiprocessing`` context whose processes begin where ``warm`` ended."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["support.warm"])
    with pytest.MonkeyPatch.context() as patch:  # before 3.13 it is not told of sys.path
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        forkserver.ensure_running()
    return context


def values(arm, taken):
    """What answers an ask for ``arm``, as rows of ``tell_many``, after so many samples of each.

    Every fifth answer comes with a value of another arm, which nobody asked for.
    """
    rows = [(arm, _value(arm, taken[arm]))]
    if taken[arm] % 5 == 4:
        other = (arm + 1) % len(_MEANS)
        rows.append((other, _value(other, taken[other]), f"{other} {taken[other]}"))
    return rows


def _value(arm, number):
    return float(np.random.default_rng([arm, number]).normal(_MEANS[arm]))


def work(url, name, acknowledge):
    """Ask and tell until the study ends; ``acknowledge([(seq, arm, value), ...])`` what was told.

    What is done next follows from what the study says, so that it does not matter who does it.
    """
    with boclust.Study.open(url, name) as study:
        taken = [arm.samples for arm in study.status().arms]
        while True:
            try:
                ask = study.ask(client="one")
            except StudyStoppedError:
                return
            rows = values(ask.arm, taken)
            if len(rows) == 1:
                told = [study.tell(ask, rows[0][1])]
            else:
                told = study.tell_many([(ask, rows[0][1]), *rows[1:]])
            acknowledge([(seq, *row[:2]) for seq, row in zip(told, rows, strict=True)])
            for arm, *_ in rows:
                taken[arm] += 1


def work_with_snapshots(url, name, acknowledge):
    """The same with a snapshot every twenty events, so that many are being written when it dies."""
    snapshot.interval = lambda state: 20
    work(url, name, acknowledge)


# --- several at once --------------------------------------------------------------------------

#: How often each process does what it does.
ROUNDS = 12


def _answers(study, client, i):
    """Two asks, one of which is answered twice."""
    asks = study.ask(2, client=client)
    assert study.ask(2, client=client) == asks
    told = [(study.tell(ask, i + 0.5), ask.name, i + 0.5) for ask in asks]
    assert study.tell(asks[0], i + 0.5) == told[0][0]
    return told


def _repeats(study, client, i):
    """A value that another process tells as well, perhaps at the same moment."""
    return [(study.tell("a", i + 0.25, key=f"shared {i}", client=client), "a", i + 0.25)]


def _batches(study, client, i):
    """Five values at once, twice."""
    rows = [("b", i + 0.1 * j, f"batch {i} {j}") for j in range(5)]
    told = study.tell_many(rows)
    assert study.tell_many(rows, client=client) == told
    return [(seq, *row[:2]) for seq, row in zip(told, rows, strict=True)]


def _tells(study, client, i):
    """A value without ask and key."""
    return [(study.tell("c", i + 0.75, client=client), "c", i + 0.75)]


def _voids(study, client, i):
    """A value that is taken back."""
    seq = study.tell("c", i + 0.8)
    void = study.void(seq, "wrong")
    assert study.void(seq, "wrong", client=client) == void
    return [(seq, "c", i + 0.8)]


#: What eight processes do, and how many values come of a round of it.
ROLES = [
    *3 * [(_answers, 2)], (_repeats, 1), (_repeats, 0), (_batches, 5), (_tells, 1), (_voids, 1)
]  # fmt: skip


def take_part(url, name, number, together, results):
    """Do what this role does, at the same time as the others; the result is all that was told."""
    with boclust.Study.open(url, name) as study:
        together.wait()
        told = [ROLES[number][0](study, f"client {number}", i) for i in range(ROUNDS)]
    results.put([row for rows in told for row in rows])
