"""The kernel cache: keyed by the sources, harmless where nothing can be written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core import event

import boclust
from boclust import _jit
from boclust.run.engine import Engine
from boclust.run.step import observe_gaussian, trials
from boclust.problem.trees import labels_of_forest
from boclust.sources.draw import draw_normal

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


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A home, and the folder of kernels that a process has left there."""
    home = tmp_path_factory.mktemp("home")
    return home, Path(run(HOME=str(home)))


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")
def test_kernels_are_kept_in_a_folder_named_by_their_sources(kept):
    home, folder = kept
    assert folder == home / ".cache" / "boclust" / f"kernels-{_jit.sources_hash()}"
    written = {path: path.stat().st_mtime_ns for path in folder.rglob("*.nb?")}
    assert written
    assert run(HOME=str(home)) == str(folder)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.nb?")} == written


def test_a_home_that_cannot_be_written_only_means_no_cache(tmp_path):
    blocked = tmp_path / "home"
    blocked.write_text(
        "a file where a directory should be: nobody can write below it, not even root"
    )
    assert run(HOME=str(blocked)) == "None"


@pytest.mark.slow
@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")
def test_a_damaged_cache_is_compiled_again(kept):
    home, folder = kept
    damaged = {path: path.read_bytes()[:50] for path in folder.rglob("*.nb?")}
    for path, rest in damaged.items():
        path.write_bytes(rest)
    assert run(HOME=str(home)) == str(folder)


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
    from boclust.kernels import copy_vector

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


@pytest.mark.slow
def test_two_processes_at_once_on_a_cold_cache(tmp_path):
    env = {**os.environ, "BOCLUST_CACHE_DIR": str(tmp_path)}
    both = [
        subprocess.Popen([sys.executable, "-c", CODE], stdout=subprocess.PIPE, text=True, env=env)
        for _ in range(2)
    ]
    assert [p.communicate()[0].splitlines()[0] for p in both] == ["[0 1 0]"] * 2


def compiled_by_a_simulation(**environment):
    """Names of what a new process compiles, in order, without Numba's own."""
    command, env = [sys.executable, "-c", COUNT], {**os.environ, **environment}
    result = subprocess.run(command, capture_output=True, text=True, env=env, check=True)
    return [name for name in result.stdout.split() if name not in ("impl", "full", "int_power")]


@pytest.fixture
def reached():
    """Names of the kernels that those of a simulation name, and those that these name, and so on.

    Numba compiles a kernel with all that it may call, whether it does or not.
    """
    engine = Engine(boclust.Algorithm(), 3, 1, 2, boclust.Gaussian())
    found = {}
    left = [one for one in engine.kernels if one is not None]
    left += [observe_gaussian, trials, labels_of_forest, draw_normal]
    while left:
        function = getattr(left[-1], "py_func", left[-1])
        left.pop()
        if function.__name__ not in found:
            found[function.__name__] = function
            named = [function.__globals__.get(name) for name in function.__code__.co_names]
            left += [one for one in named if hasattr(one, "py_func")]
    return set(found)


@pytest.mark.compiled
def test_a_simulation_needs_few_kernels(reached):
    """The first use of the package waits for it: other families and rules must not be reached."""
    assert "look_for_challenger" in reached
    assert len(reached) <= 50
    assert not reached & {"place_bets", "penalty", "poisson", "solve_cut", "best_proportions"}


@pytest.mark.slow
@pytest.mark.compiled
def test_a_simulation_compiles_what_it_needs_and_that_once(tmp_path, reached):
    names = compiled_by_a_simulation(BOCLUST_CACHE_DIR=str(tmp_path))
    assert sorted(names) == sorted(reached)
    assert compiled_by_a_simulation(BOCLUST_CACHE_DIR=str(tmp_path)) == []


@pytest.mark.compiled
def test_what_was_compiled_is_not_compiled_again():
    boclust.simulate(boclust.Instance([0, 0.5, 5.0], 2), ["span"], [0.1], 2)
    assert compiled_by_a_simulation() == []


@pytest.mark.compiled
def test_a_kernel_is_compiled_once_for_all_constants(monkeypatch):
    monkeypatch.setattr(_jit, "cache_directory", lambda: None)
    names = []

    class Count(event.Listener):
        def on_start(self, what):
            names.append(what.data["dispatcher"].py_func.__name__)

        def on_end(self, what):
            pass

    @_jit.kernel
    def times(x, factor):
        return factor * x

    @_jit.kernel
    def five_times(x):
        return times(x, 2) + times(x, 3)

    with event.install_listener("numba:compile", Count()):
        assert five_times(7.0) == 35.0
    assert sorted(names) == ["five_times", "times"]
