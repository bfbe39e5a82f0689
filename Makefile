# The words a developer types. Each sets up .venv from PyPI by itself; only Python 3.11+ and make are needed.

PYTHON ?= python3
JOBS ?= auto
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test lint bench conformance clean

demo: $(READY)
	$(BIN)/anyhip run --explain examples/vector_add.cu

test: $(READY)
	$(BIN)/pytest -n $(JOBS) -q -m "not slow" $(PYTEST_ARGS)

lint: $(READY)
	$(BIN)/ruff check src tests docs bench
	$(BIN)/ruff format --check src tests docs bench
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)
	$(BIN)/python -m bench $(BENCH)

conformance: $(READY)
	$(BIN)/pytest -n $(JOBS) -q -m "slow or not slow" $(PYTEST_ARGS)

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "AnyHIP needs Python 3.11 or newer; set PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null \
		|| { echo "Python's venv module is incomplete: install it (Debian, Ubuntu: apt install python3-venv)" >&2; exit 1; }
	@echo "setting up $(VENV) from PyPI (about 850 MB; once)"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev
	@touch $(READY)

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
