"""The kernel cache: keyed by the sources, harmless where nothing can be written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from boclust import _jit

COUNT = """
from numba.core import event

class Count(event.Listener):
    names = []

    def on_start(self, what):
        self.names.append(what.data["dispatcher"].py_func.__name__)

    def on_end(self, what):
        pass

event.register("numba:compile", Count())
import boclust
boclust.simulate(boclust.Instance([0, 0.5, 5.0], 2), ["span"], [0.1], 2)
print(*Count.names)
"""

CODE = """
from boclust._jit import cache_directory
from boclust import linkage_kernels
import numpy as np
print(linkage_kernels.labels_of_forest(3, np.array([0]), np.array([2]), 1))
print(cache_directory())
"""


def run(**environment):
    env = {k: v for k, v in os.environ.items() if k not in ("XDG_CACHE_HOME", "BOCLUST_CACHE_DIR")}
    result = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, env={**env, **environment}
    )
    assert result.returncode == 0, result.stderr
    labels, folder = result.stdout.splitlines()
    assert labels == "[0 1 0]"
    return folder


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")
def test_kernels_are_kept_in_a_folder_named_by_their_sources(tmp_path):
    folder = run(HOME=str(tmp_path))
    assert folder == str(tmp_path / ".cache" / "boclust" / f"kernels-{_jit.sources_hash()}")
    written = {path: path.stat().st_mtime_ns for path in Path(folder).rglob("*.nb?")}
    assert written
    assert run(HOME=str(tmp_path)) == folder
    assert {path: path.stat().st_mtime_ns for path in Path(folder).rglob("*.nb?")} == written


def test_a_home_that_cannot_be_written_only_means_no_cache(tmp_path):
    blocked = tmp_path / "home"
    blocked.write_text(
        "a file where a directory should be: nobody can write below it, not even root"
    )
    assert run(HOME=str(blocked)) == "None"


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")
def test_a_damaged_cache_is_compiled_again(tmp_path):
    folder = Path(run(BOCLUST_CACHE_DIR=str(tmp_path)))
    for path in folder.rglob("*.nb?"):
        path.write_bytes(path.read_bytes()[:50])
    assert run(BOCLUST_CACHE_DIR=str(tmp_path)) == str(folder)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_only_means_no_cache(tmp_path):
    class Full:
        """Numba's cache of one function, on a disk without space."""

        def save_overload(self, signature, data):
            Path("/dev/full").write_text("x")

        def load_overload(self, signature, context):
            raise OSError("cannot read")

    cache = _jit._Kept(run, str(tmp_path))
    cache._cache = Full()
    cache.save_overload("signature", "data")
    assert cache.load_overload("signature", "context") is None


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")
@pytest.mark.parametrize("body", ["return x + x", "return x + nothing"])
def test_the_compiler_of_others_is_left_as_it_was(body):
    from numba.core.errors import TypingError
    from numba.core.registry import cpu_target

    scope = {}
    exec(f"def twice(x): {body}", scope)
    twice = _jit._kept(scope["twice"], "called")
    twice._cache = _jit.NullCache()  # what has no file cannot be kept
    if "nothing" in body:
        with pytest.raises(TypingError):
            twice(1.5)
    else:
        assert twice(1.5) == 3.0
        assert twice(2) == 4
    assert "resolve_function_type" not in vars(cpu_target.typing_context)


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")
def test_a_kernel_that_python_calls_and_its_pointer_are_kept_apart():
    from boclust.array_kernels import copy_vector

    assert copy_vector._cache._folder != copy_vector.pointed()._cache._folder
    assert copy_vector.pointed() is copy_vector.pointed()


def test_the_folder_can_be_chosen(tmp_path, monkeypatch):
    monkeypatch.setenv("BOCLUST_CACHE_DIR", str(tmp_path))
    folder = _jit.cache_directory.__wrapped__()  # for this process it was chosen at its start
    assert folder == str(tmp_path / "boclust" / f"kernels-{_jit.sources_hash()}")


def test_the_hash_covers_every_kernel_module(monkeypatch, tmp_path):
    package = Path(_jit.__file__).parent
    kernels = [
        p for p in package.rglob("*.py") if "@kernel" in p.read_text() and p.name != "_jit.py"
    ]
    assert kernels
    assert all(p.name.endswith("_kernels.py") for p in kernels)


def test_other_packages_keep_their_own_cache_setting():
    import numba

    before = numba.config.CACHE_DIR
    _jit.kernel(lambda x: x)
    assert before == numba.config.CACHE_DIR


def test_two_processes_at_once_on_a_cold_cache(tmp_path):
    env = {**os.environ, "BOCLUST_CACHE_DIR": str(tmp_path)}
    both = [
        subprocess.Popen([sys.executable, "-c", CODE], stdout=subprocess.PIPE, text=True, env=env)
        for _ in range(2)
    ]
    assert [p.communicate()[0].splitlines()[0] for p in both] == ["[0 1 0]"] * 2


@pytest.mark.compiled
def test_a_simulation_compiles_what_it_needs_and_that_once(tmp_path):
    """The first use of the package waits for it: other families and rules must not be reached."""
    env = {**os.environ, "BOCLUST_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", COUNT]
    first = subprocess.run(command, capture_output=True, text=True, env=env, check=True)
    names = first.stdout.split()
    own = [name for name in names if name not in ("impl", "full", "int_power")]
    assert "look_for_challenger" in own
    assert len(own) == len(set(own)) <= 50
    for other in ("place_bets", "penalty", "poisson", "solve_cut", "best_proportions"):
        assert other not in own
    again = subprocess.run(command, capture_output=True, text=True, env=env, check=True)
    assert again.stdout.split() == []
