# make demo: the main job in this terminal.  make test: every test that CI runs.  Each sets up what it needs.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
MODEL ?=

.PHONY: help setup demo test lint bench vsix clean

help:
	@grep -hE '^# make|^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/:/'

setup: ## the virtual environment with the engine built
	@PYTHON=$(PYTHON) scripts/setup.sh python

demo: setup ## complete, generate, check and fix a kernel in this terminal (MODEL=path for a model of yours)
	@$(BIN)/kernelgen-ls demo $(if $(MODEL),--model "$(MODEL)")

test: ## every test, with what they need installed first
	@PYTHON=$(PYTHON) scripts/setup.sh python train test editors
	@scripts/test.sh

lint: setup ## ruff, mypy --strict, import-linter, tsc
	@scripts/lint.sh

bench: setup ## the benchmarks, as tables and JSON under build/bench
	@$(BIN)/kernelgen-ls bench all --out build/bench

vsix: setup ## the packaged VS Code extension
	@scripts/setup_vscode.sh --package

clean: ## what can be made again
	rm -rf build dist .venv
