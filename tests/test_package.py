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


PACKAGE = Path(boclust.__file__).parent
BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
SOURCES = sorted([*PACKAGE.rglob("*.py"), *BENCHMARKS.rglob("*.py")])


def imported(tree):
    """The full names that a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{one.name}" for one in node.names)


def dotted(node):
    """The dotted name of an attribute, as far as it is one."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def of_numba(name):
    return name.split(".")[0] == "numba"


def is_private(name):
    parts = name.split(".")
    hidden = [part for part in parts if part.startswith("_") and not part.endswith("__")]
    return of_numba(name) and (parts[1:2] == ["core"] or bool(hidden))


def test_only_the_module_of_kernels_knows_numba():
    known = [path for path in SOURCES if any(map(of_numba, imported(ast.parse(path.read_text()))))]
    assert [path for path in known if PACKAGE in path.parents] == [PACKAGE / "kernels.py"]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_no_private_name_of_numba_is_used(path):
    tree = ast.parse(path.read_text())
    used = {*imported(tree), *(dotted(node) for node in ast.walk(tree))}
    assert not [name for name in used if is_private(name)]
    assert "numba.core" not in path.read_text()
