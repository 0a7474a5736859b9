# `make demo` and `make test` set up everything they need in .venv and ask nothing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test test-slow test-oldest lint types docs pictures coverage clean

demo: $(STAMP)
	$(BIN)/boclust demo

test: $(STAMP)
	$(BIN)/python -m pytest -q -m "not slow" -n 2

test-slow: $(STAMP)
	$(BIN)/python -m pytest -q -m slow -n 2

# A core set of tests with the oldest Numba that pyproject.toml admits, in an environment of its own
OLDEST := $(shell sed -n 's/.*"numba>=\([0-9.]*\)".*/\1/p' pyproject.toml)
test-oldest:
	test -x .venv-oldest/bin/python || $(PYTHON) -m venv .venv-oldest
	.venv-oldest/bin/python -m pip install -q --disable-pip-version-check -e . "numba==$(OLDEST).*" \
	  "pytest>=8" "hypothesis>=6.100" "pytest-xdist>=3.5"
	.venv-oldest/bin/python -m pytest -q -m "not slow" -n 2 tests/test_kernels.py tests/decisions

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(STAMP)
	$(BIN)/mypy

docs: $(STAMP)
	$(BIN)/sphinx-build -q -W --keep-going docs build/docs

# The pictures of the documentation, by the code of its pages and in Chromium
pictures: $(STAMP)
	$(BIN)/python docs/pages.py
	$(BIN)/boclust demo --trials 200 --out docs/images/demo.png

# Kernels as plain Python, so that every line of them is seen
coverage: $(STAMP)
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -m "not slow and not compiled" -n 2 \
	  --cov=boclust --cov-report=term --cov-fail-under=95

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("boclust needs Python 3.11 or newer, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing boclust and what its tests and documentation need into $(VENV): a minute or two."
	$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[dev]"
	touch $@

clean:
	rm -rf $(VENV) .venv-oldest .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
