# `make demo`: track an example recipe with what ships.   `make test`: everything CI runs.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
# The data is found beside the checkout; tests that need it are skipped, with a reason, where it is absent.
export NPN_DATA ?= $(if $(wildcard ../shared/data),$(abspath ../shared/data))

.PHONY: demo test lint types unit bench clean

demo: $(VENV)/.base
	$(BIN)/npn track examples/pancakes.txt

test: lint types unit

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

unit: $(VENV)/.dev
	$(BIN)/pytest

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "npn needs Python 3.11 or newer: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[train,dev]'
	touch $@ $(VENV)/.base

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
