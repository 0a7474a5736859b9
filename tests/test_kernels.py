"""Kernels, structs, and the cache: keyed by the sources, never trusted blindly, never needed."""

import gc
import importlib
import json
import os
import pkgutil
import random
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import boclust
from boclust import kernels
from boclust.kernels import (
    Struct,
    b1,
    f1,
    f2,
    f3,
    first_class,
    i1,
    in_one_block,
    inlined,
    k1,
    kernel,
    scratch,
    uncached,
)  # fmt: skip

needs_jit = pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")

CODE = """
from boclust.kernels import cache_folder
from boclust.problem.trees import labels_of_forest
import numpy as np
print(labels_of_forest(3, np.array([0]), np.array([2]), 1))
print(cache_folder())
"""
RUN = """
import boclust
results = boclust.simulate(boclust.Instance([0, 0.5, 5.0], 2), ["span"], [0.1], 3)
print(results.table["n_samples"].to_pylist())
"""


def python(code, **environment):
    kept = {k: v for k, v in os.environ.items() if k not in ("XDG_CACHE_HOME", "BOCLUST_CACHE_DIR")}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, env={**kept, **environment})


def folder_of(**environment):
    done = python(CODE, **environment)
    assert done.returncode == 0, done.stderr
    labels, folder = done.stdout.splitlines()
    assert labels == "[0 1 0]"
    return folder


def contents(folder):
    return {path: path.read_bytes() for path in Path(folder).rglob("*.nb?")}


class Inner(Struct):
    factor: float

    def times(self, x: float) -> float:
        return self.factor * x


class Outer(Struct):
    inner: object
    values: f1
    table: f2 = scratch
    marks: i1


def outer(factor=2.0):
    return Outer(
        inner=Inner(factor=factor), values=np.arange(3.0), table=np.zeros((2, 2)),
        marks=np.zeros(2, dtype=np.int64),
    )  # fmt: skip


@kernel
def scale(struct, i):
    struct.values[i] = struct.inner.times(struct.values[i])
    struct.marks[0] += 1


class Doubled(Inner):
    def times(self, x: float) -> float:
        return 2.0 * self.factor * x


def test_python_and_kernels_see_the_same_arrays():
    struct = outer()
    scale(struct, 2)
    assert struct.values.tolist() == [0.0, 1.0, 4.0]
    struct.values[1] = 7.0
    scale(struct, 1)
    assert struct.values.tolist() == [0.0, 14.0, 4.0]
    assert struct.marks.tolist() == [2, 0]


class Kinds(Struct):
    floats: f3
    flags: b1
    keys: k1
    none: f2


@kernel
def fill(kinds):
    kinds.floats[1, 0, 2] = kinds.floats.shape[0]
    kinds.flags[1] = kinds.none.shape[1] == 5
    kinds.keys[0] += np.uint64(1)


def test_kernels_see_arrays_of_every_kind_and_empty_ones():
    made = Kinds(
        floats=np.zeros((2, 1, 3)), flags=np.zeros(2, dtype=np.bool_),
        keys=np.array([2**64 - 2], dtype=np.uint64), none=np.zeros((0, 5)),
    )  # fmt: skip
    fill(made)
    assert made.floats.tolist() == [[[0, 0, 0]], [[0, 0, 2]]]
    assert made.flags.tolist() == [False, True]
    assert made.keys.tolist() == [2**64 - 1]


def test_a_struct_owns_its_arrays():
    """Kernels only borrow them: they must live as long as the struct, here by it alone."""
    structs = [outer(factor=float(i)) for i in range(200)]
    gc.collect()
    others = [np.full(3, np.nan) for _ in range(1000)]  # would take the memory if it were free
    for i, struct in enumerate(structs):
        scale(struct, 2)
        assert struct.values.tolist() == [0.0, 1.0, 2.0 * i]
    assert all(np.isnan(other).all() for other in others)


def test_fields_cannot_be_replaced_or_moved():
    """Kernels keep the address: its memory must stay where it is."""
    struct = outer()
    with pytest.raises(AttributeError, match=r"^Outer.values cannot be replaced$"):
        struct.values = np.zeros(3)
    with pytest.raises(AttributeError, match=r"^Outer.values cannot be deleted$"):
        del struct.values
    with pytest.raises(ValueError, match="resize"):
        struct.values.resize(100)
    struct.values += 1.0
    scale(struct, 2)
    assert struct.values.tolist() == [1.0, 2.0, 6.0]


def test_the_name_of_the_addresses_is_taken():
    with pytest.raises(TypeError, match=r"^Wrong must have no field 'places': the name is taken$"):

        class Wrong(Struct):
            places: f1


@inlined
def larger(a, b, i):
    if a[i] > b[i]:
        return a[i]
    return b[i]


@kernel
def sum_of_larger(a, b):
    total = 0.0
    for i in range(a.shape[0]):
        total += larger(a, b, i)
    return total


def test_inlined_kernels_compute_the_same(rng):
    a, b = rng.normal(size=(2, 20))
    assert sum_of_larger(a, b) == pytest.approx(np.maximum(a, b).sum())


def test_a_division_by_zero_is_infinite():
    """In every kind of kernel alike: rules divide by counts and differences."""

    @kernel
    def ratio(x, y):
        return x / y

    if not kernels.PLAIN:
        assert ratio(1.0, 0.0) == np.inf
        assert first_class(ratio, 0.0, 1.0, 1.0).ctypes(1.0, 0.0) == np.inf


def test_methods_are_chosen_by_type():
    struct = outer().replaced(inner=Doubled(factor=3.0))
    scale(struct, 1)
    assert struct.values[1] == 6.0


def test_scratch_is_not_saved():
    assert Outer.saved == ("values", "marks")
    assert set(outer().arrays()) == {"values", "marks"}


@pytest.mark.parametrize(
    "wrong", [np.zeros(3, dtype=np.int64), np.zeros((3, 1)), np.zeros(6)[::2], np.zeros(3, "f4")]
)
def test_an_array_of_another_kind_is_refused(wrong):
    with pytest.raises(TypeError, match="values"):
        outer().replaced(values=wrong)


def test_fields_that_do_not_exist_are_refused():
    with pytest.raises(TypeError, match="no field 'more'"):
        outer().replaced(more=1)


def test_structs_in_one_block_share_what_they_shared():
    one = outer()
    two = Outer(inner=one, values=np.ones(5), table=np.ones((1, 1)), marks=np.ones(1, dtype=int))
    (first, second), block = in_one_block([one, two])
    assert second.inner is first
    blank = block.copy()
    scale(first, 2)
    assert second.inner.values[2] == 4.0
    block[:] = blank
    assert first.values.tolist() == [0.0, 1.0, 2.0]
    assert second.values.tolist() == [1.0] * 5
    assert one.values.tolist() == [0.0, 1.0, 2.0]


def test_an_array_of_two_structs_is_one_in_a_block():
    one = outer()
    other = Outer(**vars(outer()) | {"values": one.values})
    (first, second), _ = in_one_block([one, other])
    scale(first, 2)
    assert second.values.tolist() == first.values.tolist() == [0.0, 1.0, 4.0]
    assert one.values.tolist() == [0.0, 1.0, 2.0]


@kernel
def apply(calls, x):
    return calls.function(x)


class Calls(Struct):
    n: int
    function: object


@kernel
def square(x):
    return x * x


def test_functions_are_values():
    calls = Calls(n=1, function=first_class(square, 0.0, 0.0))
    assert apply(calls, 3.0) == 9.0


@needs_jit
def test_kernels_of_others_are_not_cached():
    assert square(2.0) == 4.0
    assert not square.stats.cache_path
    assert kernels.copy_vector.stats.cache_path.startswith(str(kernels.cache_folder()))
    assert not uncached(kernels.copy_vector).stats.cache_path


def test_other_packages_keep_their_own_cache_setting():
    before = numba.config.CACHE_DIR
    kernel(lambda x: x)
    assert before == numba.config.CACHE_DIR


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A home, and the folder of kernels that a process has left there."""
    home = tmp_path_factory.mktemp("home")
    return home, Path(folder_of(HOME=str(home)))


@needs_jit
def test_kernels_are_kept_in_a_folder_named_by_their_sources(kept):
    home, folder = kept
    assert folder == home / ".cache" / "boclust" / f"kernels-{kernels.sources_hash()}"
    assert folder.stat().st_mode & 0o777 == 0o700
    written = {path: path.stat().st_mtime_ns for path in contents(folder)}
    assert written
    assert folder_of(HOME=str(home)) == str(folder)
    assert {path: path.stat().st_mtime_ns for path in contents(folder)} == written


@needs_jit
def test_the_hash_covers_every_module_with_kernels():
    found = 0
    for info in pkgutil.walk_packages(boclust.__path__, "boclust."):
        if info.name.endswith("__main__"):
            continue
        module = importlib.import_module(info.name)
        own = [x for x in vars(module).values() if getattr(x, "__module__", "") == info.name]
        if any(hasattr(x, "py_func") or (isinstance(x, type) and Struct in x.__mro__) for x in own):
            folder = info.name.split(".")[1]
            assert folder in (*kernels._COMPILED, "kernels"), info.name
            found += 1
    assert found > 30


def test_the_hash_changes_with_a_source_that_holds_kernels(tmp_path, monkeypatch):
    package = shutil.copytree(Path(kernels.__file__).parent, tmp_path / "boclust")
    before = kernels.sources_hash()
    monkeypatch.setattr(kernels, "_PACKAGE", package)
    assert kernels.sources_hash() == before
    for name, counts in [("cli/terminal.py", False), ("sampling/atboc.py", True),
                         ("evidence/conjugate.py", True), ("kernels.py", True)]:  # fmt: skip
        path, old = package / name, (package / name).read_bytes()
        path.write_bytes(old + b"\n")
        assert (kernels.sources_hash() != before) == counts, name
        path.write_bytes(old)


def test_a_home_that_cannot_be_written_only_means_no_cache(tmp_path):
    blocked = tmp_path / "home"
    blocked.write_text("a file where a directory should be: nobody can write below it")
    assert folder_of(HOME=str(blocked)) == "None"


def test_the_folder_can_be_chosen(tmp_path, monkeypatch):
    monkeypatch.setenv("BOCLUST_CACHE_DIR", str(tmp_path))
    folder = kernels.cache_folder.__wrapped__()  # for this process it was chosen at its start
    assert folder == tmp_path / "boclust" / f"kernels-{kernels.sources_hash()}"


@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_a_folder_that_others_may_write_to_is_not_used(tmp_path, mode):
    folder = Path(folder_of(BOCLUST_CACHE_DIR=str(tmp_path)))
    folder.chmod(mode)
    assert folder_of(BOCLUST_CACHE_DIR=str(tmp_path)) == "None"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives away")
def test_a_folder_of_another_user_is_not_used(tmp_path):
    folder = Path(folder_of(BOCLUST_CACHE_DIR=str(tmp_path)))
    os.chown(folder, 12345, 12345)
    assert folder_of(BOCLUST_CACHE_DIR=str(tmp_path)) == "None"


@needs_jit
@pytest.mark.parametrize("damage", ["truncated", "noise", "empty", "swapped", "seals"])
def test_a_damaged_file_is_compiled_again(tmp_path, damage):
    folder = Path(folder_of(BOCLUST_CACHE_DIR=str(tmp_path)))
    files = contents(folder)
    swapped = list(files.values())[::-1]
    for i, (path, data) in enumerate(files.items()):
        if damage == "truncated":
            path.write_bytes(data[:50])
        elif damage == "noise":
            path.write_bytes(bytes(random.Random(i).choices(range(256), k=len(data))))
        elif damage == "empty":
            path.write_bytes(b"")
        elif damage == "swapped":
            path.write_bytes(swapped[i])
    if damage == "seals":
        (folder / "checksums.json").write_text("[1, 2")
    assert folder_of(BOCLUST_CACHE_DIR=str(tmp_path)) == str(folder)
    seals = json.loads((folder / "checksums.json").read_text())
    assert len(seals) == len(contents(folder)) > 0


@needs_jit
@pytest.mark.slow
def test_sixty_damaged_caches_never_crash(tmp_path):
    """One byte of one file in each turn, or a part cut off, of the cache of a whole simulation."""
    expected = python(RUN, BOCLUST_CACHE_DIR=str(tmp_path)).stdout
    assert expected.startswith("[")
    rng = random.Random(0)
    for _ in range(60):
        path, data = rng.choice(sorted(contents(tmp_path).items()))
        at = rng.randrange(len(data))
        flipped = data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
        path.write_bytes(rng.choice([flipped, data[:at], data[at:]]))
        done = python(RUN, BOCLUST_CACHE_DIR=str(tmp_path))
        assert (done.returncode, done.stdout) == (0, expected), done.stderr


@pytest.mark.slow
def test_two_processes_at_once_on_a_cold_cache(tmp_path):
    env = {**os.environ, "BOCLUST_CACHE_DIR": str(tmp_path)}
    both = [
        subprocess.Popen([sys.executable, "-c", CODE], stdout=subprocess.PIPE, text=True, env=env)
        for _ in range(2)
    ]
    assert [p.communicate()[0].splitlines()[0] for p in both] == ["[0 1 0]"] * 2


FOREIGN = """
import boclust
import custom
rules = [boclust.Algorithm("border", "local-directional")]
print(boclust.simulate(boclust.Instance([0, 0.5, 5.0], 2), rules, [0.1], 3).table["n_samples"])
"""


@needs_jit
@pytest.mark.slow
def test_a_rule_of_another_module_leaves_nothing_in_the_cache(tmp_path):
    """Else processes without that module could not read the cache."""
    source = (Path(__file__).parents[1] / "examples" / "custom_rule.py").read_text()
    (tmp_path / "custom.py").write_text(source.partition("\ninstance = ")[0])
    cache = {"BOCLUST_CACHE_DIR": str(tmp_path / "cache")}
    own = python(FOREIGN, PYTHONPATH=str(tmp_path), **cache)
    assert own.returncode == 0, own.stderr
    assert not any(b"custom" in data for data in contents(tmp_path / "cache").values())
    (tmp_path / "custom.py").unlink()
    assert python(RUN, **cache).returncode == 0
