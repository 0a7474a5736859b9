"""Processes of their own, for what a process does once: it starts, compiles, takes memory."""

import os
import subprocess
import sys
import time
from pathlib import Path


def seconds_of(code: str, cache: Path, folder: Path) -> tuple[float, float]:
    """Wall and CPU time of a Python program with this cache of kernels, from start to end."""
    began, cpu = time.perf_counter(), _cpu()
    output_of(code, cache, folder)
    return time.perf_counter() - began, _cpu() - cpu


def _cpu() -> float:
    """CPU seconds of all child processes that have ended."""
    import resource  # not on Windows; finer than os.times

    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def output_of(code: str, cache: Path | None = None, folder: Path | None = None) -> str:
    """What a Python program prints; it finds the package where this process does."""
    environment = dict(os.environ)
    if cache is not None:
        environment["BOCLUST_CACHE_DIR"] = str(cache)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise RuntimeError(f"a child process ended with {done.returncode}: {last}")
    return done.stdout
