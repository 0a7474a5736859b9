# `make demo` and `make test` set up everything they need in .venv and ask nothing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test test-slow lint types docs pictures coverage clean

demo: $(STAMP)
	$(BIN)/boclust demo

test: $(STAMP)
	$(BIN)/python -m pytest -q -m "not slow" -n 2

test-slow: $(STAMP)
	$(BIN)/python -m pytest -q -m slow -n 2

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
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
