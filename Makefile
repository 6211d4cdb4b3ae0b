# Each target sets up what it needs; `make help` lists them.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
MODEL ?=

.PHONY: help setup demo test test-train lint format generate bench vsix clean
.DEFAULT_GOAL := help

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## the virtual environment with the engine built
	@PYTHON=$(PYTHON) scripts/setup.sh python

demo: setup ## complete, generate, check and fix a kernel in this terminal (MODEL=path for a model of yours)
	@$(BIN)/kernelgen-ls demo $(if $(MODEL),--model "$(MODEL)")

test: ## every test that CI runs but the training's, with what they need installed first
	@PYTHON=$(PYTHON) scripts/setup.sh python test editors
	@scripts/test.sh

test-train: ## the training's tests; installs torch first (TORCH_INDEX=url for an index with a build for the CPU)
	@PYTHON=$(PYTHON) scripts/setup.sh train
	@scripts/test_train.sh

lint: ## ruff, mypy, import-linter, Biome, tsc, StyLua, luacheck, actionlint
	@PYTHON=$(PYTHON) scripts/setup.sh lint
	@scripts/lint.sh

format: setup ## write what the formatters would have it like
	@$(BIN)/ruff check --fix-only --quiet . && $(BIN)/ruff format .
	@scripts/lint_typescript.sh --write
	@scripts/lint_lua.sh --write

generate: setup ## write the files that are made from others: API table, editors' colours and settings, schemas, lists
	@$(BIN)/python -m scripts.generate

bench: setup ## the benchmarks, as tables and JSON under build/bench
	@$(BIN)/kernelgen-ls bench all --out build/bench

vsix: setup ## the packaged VS Code extension
	@scripts/setup_vscode.sh --package

clean: ## what can be made again
	rm -rf build dist .venv
