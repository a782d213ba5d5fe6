PYTHON ?= python3
VENV ?= .venv
PEERS ?= .venv-peers
BIN := $(VENV)/bin
SOURCES := tool_core mypy_plugin tests typetests/portable examples

.PHONY: demo test lint types unit typetests bench peers clean

demo: $(VENV)/ready
	$(BIN)/python examples/weather.py

test: lint types unit typetests

lint: $(VENV)/ready
	$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: $(VENV)/ready
	$(BIN)/mypy $(SOURCES) && $(BIN)/pyright --pythonpath $(BIN)/python

unit: $(VENV)/ready
	$(BIN)/pytest -q -n 2

typetests: $(VENV)/ready
	$(BIN)/pytest -q -n 2 typetests

bench: $(VENV)/ready peers
	$(BIN)/python benchmarks/importing.py && $(BIN)/python benchmarks/dispatch.py && $(BIN)/python benchmarks/strictify.py --peers $(PEERS)/bin/python

peers: $(PEERS)/ready

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip install -q -e '.[dev]' && touch $@

$(PEERS)/ready:
	$(PYTHON) -m venv $(PEERS) && $(PEERS)/bin/python -m pip install -q openai-agents openai anthropic pydantic-ai-slim langchain-core && touch $@
