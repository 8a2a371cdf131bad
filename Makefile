# `make demo`: track an example recipe with what ships.   `make test`: everything CI runs.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
# The data is found beside the checkout; tests that need it are skipped, with a reason, where it is absent.
export NPN_DATA ?= $(if $(wildcard ../shared/data),$(abspath ../shared/data))

.PHONY: demo test lint types unit bench fuzz nightly paper clean

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

# Random mutations of good inputs; what breaks something is kept in tests/attacks/corpus.
SECONDS ?= 60
fuzz: $(VENV)/.dev
	$(BIN)/python tests/attacks/fuzzing.py --seconds $(SECONDS)

# What takes too long for every day: tests marked slow, faults, and an hour of mutations.
nightly: $(VENV)/.dev
	$(BIN)/pytest -m slow
	$(BIN)/python -m benchmarks.faults --times 20
	$(BIN)/python tests/attacks/fuzzing.py --seconds 3600

# The weights of --model paper, from the corpus to the file:
#     make paper CORPUS=mealmaster.jsonl.gz DEVICE=cuda SEED=2
CORPUS ?= $(NPN_DATA)/corpus/mealmaster.jsonl.gz
DEVICE ?= cpu
SEED ?= 2
paper: $(VENV)/.dev
	$(BIN)/npn prepare $(CORPUS) --train 65816 -o prepared/paper
	$(BIN)/npn train paper --seed $(SEED) --data prepared/paper --out runs/paper-$(SEED) --resume \
	    --device $(DEVICE) --set training.pretrain_epochs=4 --set training.epochs=12
	$(BIN)/npn export runs/paper-$(SEED) --name npn-paper -o runs/paper-$(SEED).safetensors

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
	rm -rf $(VENV) build .mypy_cache .ruff_cache .pytest_cache
