# Two commands do everything on a machine that has only Python 3.11+ and make:
#   make demo   sets up, then shows what Solvent does
#   make test   sets up, then runs lint, types and tests

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# One more than two cores: tests of processes and pages wait a good part of their time.
JOBS ?= 3
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check --no-input

# Each worker begins with its share of the files, so that a file's fixtures are made once, and helps out when it is done.
TOGETHER := -n $(JOBS) --dist worksteal
# A build server may be busy, and tests of processes and pages feel it: what failed there is tried once more, by itself and
# one after the other. Both looks are printed, and what fails twice fails.
AGAIN := || { [ $$? = 1 ] && [ -n "$(CI)" ] && $(BIN)/python -m pytest --last-failed --last-failed-no-failures none; }
COPY_TO := $(BIN)/python setup.py --quiet build --build-lib

# Tests start hundreds of processes, and each would compile the sources again.
unexport PYTHONDONTWRITEBYTECODE

KERNELS := $(shell find src -name '*_kernel.py' -o -name '*.pxd')

.PHONY: demo test lint types tests audit test-slow test-deep test-modes test-checked test-plain torture agreement kernels bench docs docs-numbers wheel clean

demo: $(VENV)/runs
	@$(BIN)/solvent tour

# Types and tests at the same time, since mypy uses one core only.
test: lint
	@$(MAKE) --no-print-directory -j 2 types tests

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/ready
	$(BIN)/mypy

tests: $(VENV)/ready
	$(BIN)/python -m pytest $(TOGETHER) -m "not slow and not deep" $(AGAIN)

# Known vulnerabilities in what is installed. The scan of our own sources is a part of `lint` (the rules S of ruff).
audit: $(VENV)/ready
	@$(PIP) install -e ".[audit]"
	$(BIN)/python -m building.audit

# Larger sweeps, which take minutes.
test-slow: $(VENV)/ready
	$(BIN)/python -m pytest $(TOGETHER) -m "slow and not deep" $(AGAIN)

# Every test, with every sweep as far as it goes: an hour or so, before a release or after a change of a solver or checker.
test-deep: $(VENV)/ready
	SOLVENT_DEEP=1 $(BIN)/python -m pytest $(TOGETHER)

# The kernels with bounds checks and sanitizers, and not compiled at all: a small pass of each.
test-modes: test-checked test-plain

# Sanitizers must be loaded before Python. Python never frees all it has, so leaks are not looked for.
test-checked: $(VENV)/ready
	@rm -rf build/checked && mkdir -p build
	@SOLVENT_KERNELS=checked $(COPY_TO) build/checked > build/checked.log 2>&1 || { cat build/checked.log; exit 1; }
	LD_PRELOAD="$$(cc -print-file-name=libasan.so) $$(cc -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=0 \
	PYTHONMALLOC=malloc PYTHONPATH=build/checked $(BIN)/python -m pytest -m modes -p no:cacheprovider \
	-W error::pytest.PytestUnraisableExceptionWarning

test-plain: $(VENV)/ready
	@rm -rf build/plain && mkdir -p build
	@SOLVENT_KERNELS=plain $(COPY_TO) build/plain > build/plain.log 2>&1 || { cat build/plain.log; exit 1; }
	SOLVENT_QUIET_UNCOMPILED=1 PYTHONPATH=build/plain $(BIN)/python -m pytest -m modes -p no:cacheprovider

# Compile the kernels again after an edit. The stamp is what `import solvent` compares with; it also knows of a source
# that was put back from a copy, with a time that make takes for old.
kernels: $(VENV)/ready
	@$(BIN)/python -c "import solvent" 2> /dev/null || $(PIP) install -e .

# Try to break everything, for as long as is given; what went wrong is listed, with what reproduces it.
MINUTES ?= 60
CAMPAIGNS ?=
torture: $(VENV)/ready
	$(BIN)/python -m torture --minutes $(MINUTES) $(foreach name,$(CAMPAIGNS),--campaign $(name))

# The checker in Python and the one in JavaScript judge the same certificates, as many as are given; needs Node.
CERTIFICATES ?= 10000
agreement: $(VENV)/ready
	$(BIN)/python -m torture.certificates.agreement $(CERTIFICATES)

# Wheel and source archive, tried out in a fresh environment away from the sources.
wheel: $(VENV)/ready
	$(BIN)/python -m building.release

# Also installs the solvers that Solvent is compared with.
bench: $(VENV)/ready
	$(PIP) install -e ".[bench]"
	$(BIN)/python -m benchmarks

# The documentation as a site in site/, with search; open site/index.html. The generator is an extra of its own.
docs: $(VENV)/documents docs-numbers
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "Open site/index.html"

# Options, limits and exit codes in the pages are generated from the code.
docs-numbers: $(VENV)/ready
	$(BIN)/python -m building.pages

clean:
	rm -rf $(VENV) build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src -name '*.so' -delete -o -name '*.stamp' -delete

# What running needs, the page in the browser included.
$(VENV)/runs: building/set_up.py pyproject.toml setup.py $(KERNELS)
	@$(PYTHON) building/set_up.py
	@touch $@

# What developing needs, too.
$(VENV)/ready: building/set_up.py pyproject.toml setup.py $(KERNELS)
	@$(PYTHON) building/set_up.py dev
	@touch $@ $(VENV)/runs

$(VENV)/documents: $(VENV)/ready
	@$(PIP) install -e ".[docs]"
	@touch $@
