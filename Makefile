PYTHON ?= python3
VENV ?= .venv
DEMO ?= .venv-demo
PEERS ?= .venv-peers
BIN := $(VENV)/bin
PEER_NAMES := pydantic_ai openai_agents langchain fastmcp mcp anthropic openai
PACKAGE_pydantic_ai := pydantic-ai-slim
PACKAGE_openai_agents := openai-agents
PACKAGE_langchain := langchain-core
PACKAGE_fastmcp := fastmcp
PACKAGE_mcp := mcp
PACKAGE_anthropic := anthropic
PACKAGE_openai := openai
SOURCES := tool_core mypy_plugin tests typetests examples

.PHONY: demo test lint types unit typetests fuzz guided mutation coverage bench peers clean

demo:
	@started=$$(date +%s); $(MAKE) -s $(DEMO)/ready && \
	echo '$$ tool-core check examples/weather.py' && $(DEMO)/bin/tool-core check examples/weather.py && \
	echo "($$(( $$(date +%s) - started )) seconds from make demo to this table)" && \
	echo '$$ tool-core check --no-schemas examples/mistakes.py    # wrong on purpose' && \
	{ $(DEMO)/bin/tool-core check --no-schemas examples/mistakes.py; [ $$? = 1 ]; }

test: lint types unit typetests

lint: $(VENV)/ready
	$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: $(VENV)/ready
	$(BIN)/mypy $(SOURCES) && $(BIN)/mypy --config-file typetests/plugin.ini --cache-dir .mypy_cache/plugin tool_core mypy_plugin && $(BIN)/pyright --pythonpath $(BIN)/python

unit: $(VENV)/ready
	$(BIN)/pytest -q -n 2

typetests: $(VENV)/ready
	$(BIN)/pytest -q -n 2 typetests

fuzz: $(VENV)/ready
	FUZZ_EXAMPLES=5000 $(BIN)/pytest -q -n 2 tests/hostile

guided: $(VENV)/ready
	$(BIN)/python -m pip install -q atheris && $(BIN)/python -m tests.hostile.guided

mutation: $(VENV)/ready
	$(BIN)/python benchmarks/mutation.py

coverage: $(VENV)/ready
	$(BIN)/pytest -q -n 2 --cov=tool_core --cov-branch --cov-report=json:.coverage.json --cov-report=
	$(BIN)/python benchmarks/coverage_gate.py .coverage.json 95

bench: $(VENV)/ready peers
	PEERS=$(PEERS) $(BIN)/python benchmarks/run.py

peers: $(PEER_NAMES:%=$(PEERS)/%/ready)

clean:
	rm -rf $(VENV) $(DEMO) .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip install -q -e '.[dev]' && touch $@

$(DEMO)/ready: pyproject.toml
	$(PYTHON) -m venv $(DEMO) && $(DEMO)/bin/python -m pip install -q -e '.[cli,mypy]' && touch $@

$(PEERS)/%/ready:
	$(PYTHON) -m venv $(PEERS)/$* && $(PEERS)/$*/bin/python -m pip install -q $(PACKAGE_$*) && touch $@
