# Every target makes its own environment: a machine needs Python 3.11 or newer, make and pip, nothing more.
PYTHON ?= $(firstword $(foreach p,python3 python3.14 python3.13 python3.12 python3.11,$(if $(shell $(p) -c 'import sys; print(int(sys.version_info >= (3, 11)))' 2>/dev/null | grep 1),$(p))))
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-long check bench bench-reading format clean
.DELETE_ON_ERROR:

demo: $(VENV)/.core
	@$(BIN)/privet demo

test: $(VENV)/.dev
	$(BIN)/pytest -m "not long"

test-long: $(VENV)/.dev
	$(BIN)/pytest -m long

check: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: $(VENV)/.dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(VENV)/.dev
	$(BIN)/python benchmarks/bench.py $(if $(PEERS),--peers $(PEERS))

bench-reading: $(VENV)/.dev
	$(BIN)/python benchmarks/reading.py $(if $(RATINGS),--ratings $(RATINGS))

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "privet needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@ $(VENV)/.core

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis dist
