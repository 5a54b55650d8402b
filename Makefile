# Two commands: `make run` and `make test`. Everything they need is set up on the way, once.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:

PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
NODE_READY := web/node_modules/.ready
PAGE := src/tidegrid/page/dist/index.html
WHEELS := dist
# Of what pip says: what is large, and so takes its time.
BIGGEST := sed -u -n -E 's/^ *(Downloading|Using cached) (.*[0-9]{2}\.?[0-9]* MB\))$$/   \2/p; s/^(Building|Installing) .*/   \1 what was fetched/p'
say = @printf '\033[1m== %s\033[0m\n' "$(1)"
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: help pictures run test lint unit integration page wheel chromium haproxy bench clean

help:
	@echo 'make run     bring everything up on this machine; prints the page and its key; Ctrl-C stops it'
	@echo 'make test    lint and all tests: unit, integration (Kafka, Spark, Deephaven), browser'
	@echo 'make bench   event to screen beside Deephaven alone; catching up; swaps; positions; a cluster'
	@echo 'make page    build the page only'
	@echo 'make pictures  take the pictures in docs anew, of the sample feed'
	@echo 'make wheel   build what pip installs elsewhere, the page inside, into dist'
	@echo 'make unit    the tests that need no Java, in seconds'
	@echo 'make clean   remove what was built here, and the local data'

run: $(READY) $(PAGE)
	$(call say,starting Tidegrid)
	@exec $(BIN)/tidegrid up

# What needs one core each is done side by side.
test: $(READY) $(NODE_READY)
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=recurse lint unit
	@$(MAKE) --no-print-directory integration

unit: $(READY) $(NODE_READY)
	$(call say,unit tests)
	@$(BIN)/pytest -q tests/unit
	@cd web && npm test --silent

# One run, so that all of them share one broker, one Spark and one Deephaven.
integration: $(READY) $(PAGE) chromium haproxy
	$(call say,integration and browser tests with a real broker and Spark and Deephaven and Chromium)
	@$(BIN)/pytest -q --durations=5 tests/wheel tests/integration tests/viewers tests/faults tests/e2e tests/cluster tests/logins tests/last

lint: $(READY) $(NODE_READY)
	$(call say,lint)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@cd web && npm run --silent lint

bench: $(READY) $(PAGE) chromium haproxy
	$(call say,benchmark)
	@$(BIN)/python -m bench $(ARGS)

pictures: $(READY) $(PAGE) chromium
	$(call say,pictures of the pages for the docs)
	@$(BIN)/python -m bench.pictures

page: $(PAGE)

# What an earlier one left in build would be packed as well.
wheel: $(READY) $(PAGE)
	$(call say,building the wheel)
	@rm -rf build
	@$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir $(WHEELS) .
	@rm -rf build
	@ls $(WHEELS)/tidegrid-*.whl

$(READY): requirements.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo '$(PYTHON) is missing: install Python 3.11, or say make PYTHON=/path/to/python3.11'; exit 1; }
	$(call say,virtual environment: about 1.7 GB at the first time)
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --disable-pip-version-check --require-hashes -r requirements.lock | $(BIGGEST)
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(NODE_READY): web/package-lock.json $(READY)
	$(call say,packages of the page)
	@cd web && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(PAGE): $(NODE_READY) $(shell find web/src web/public -type f 2>/dev/null) web/angular.json web/package.json
	$(call say,building the page)
	@cd web && npm run --silent build
	@touch $@

chromium:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || { \
	  test "$$(id -u)" = 0 || { echo 'Chromium is missing: install it (Debian: apt-get install chromium)'; exit 1; }; \
	  printf '== installing Chromium\n'; \
	  apt-get -qq update && apt-get -qq install -y --no-install-recommends chromium >/dev/null; }

# In front of several tables processes, as in docs/deploying.md.
haproxy:
	@PATH=$$PATH:/usr/sbin command -v haproxy >/dev/null || { \
	  test "$$(id -u)" = 0 || { echo 'haproxy is missing: install it (Debian: apt-get install haproxy)'; exit 1; }; \
	  printf '== installing haproxy\n'; \
	  apt-get -qq update && apt-get -qq install -y --no-install-recommends haproxy >/dev/null; }

clean:
	rm -rf $(VENV) .tidegrid build dist web/node_modules web/.angular src/tidegrid/page/dist
