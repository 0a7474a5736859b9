"""Imports stay light, every public name is there and documented, examples run."""

import ast
import doctest
import importlib
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import boclust

HEAVY = {
    "numba",
    "scipy",
    "pyarrow",
    "matplotlib",
    "sqlalchemy",
    "fastapi",
    "highspy",
    "pandas",
    "sklearn",
    "distributed",
}


def imports_of_numpy(code):
    """Processor time of a fresh interpreter, in those that only import NumPy.

    The least of three runs each, by turns: a busy machine slows both, and about 0.1 s is one.
    """
    plain = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    took = {code: [], "import numpy": []}
    for one in 3 * list(took):
        command = [sys.executable, "-c", f"import time\n{one}\nprint(time.process_time())"]
        run = subprocess.run(command, capture_output=True, text=True, check=True, env=plain)
        took[one].append(float(run.stdout.splitlines()[-1]))
    return min(took[code]) / min(took["import numpy"])


def test_import_is_light():
    code = f"import boclust, sys; print(sorted(set(sys.modules) & {HEAVY}))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
    assert imports_of_numpy("import boclust") < 2.0


def test_help_is_quick():
    code = "import sys; sys.argv = ['boclust', '--help']\nfrom boclust.cli import main\n"
    code += "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code"
    assert imports_of_numpy(code) < 2.0


def test_public_names_have_docstrings():
    assert set(boclust.__all__) == {*boclust._HOME, "datasets", "sources"}
    for name in boclust.__all__:
        assert getattr(boclust, name).__doc__
        assert name in dir(boclust)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = boclust.nothing


def modules():
    yield "boclust"
    for found in pkgutil.walk_packages(boclust.__path__, "boclust."):
        yield found.name


@pytest.mark.parametrize("name", list(modules()))
def test_examples_in_docstrings(name):
    failures, _ = doctest.testmod(importlib.import_module(name))
    assert failures == 0


KERNELS = sorted(Path(boclust.__file__).parent.rglob("*_kernels.py"))


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_kernels_know_neither_classes_nor_options(path):
    """They import other kernels, codes, the decorator and types of arrays, and nothing else."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("boclust"):
            if node.module == "boclust._validate":
                assert all(one.name.endswith("Array") for one in node.names)
            else:
                known = ("_kernels", ".codes", "._jit", "._reference")
                assert node.module.endswith(known), f"{path.name}: {node.module}"
