# Two commands do everything on a machine that has only Python 3.11+ and make:
#   make demo   sets up, then shows what Solvent does
#   make test   sets up, then runs lint, types and tests

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2

.PHONY: demo test lint types tests test-slow test-modes bench clean

demo: $(VENV)/ready
	$(BIN)/solvent tour

test: lint types tests

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/ready
	$(BIN)/mypy

tests: $(VENV)/ready
	$(BIN)/python -m pytest -n $(JOBS) -m "not slow"

# Exhaustive checks that take minutes.
test-slow: $(VENV)/ready
	$(BIN)/python -m pytest -n $(JOBS) -m slow

# The kernels with bounds checked, and as plain Python: a small pass of each.
test-modes: $(VENV)/ready
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -m modes
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -m modes

# Also installs the solvers that Solvent is compared with.
bench: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[bench]"
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Solvent needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $@
