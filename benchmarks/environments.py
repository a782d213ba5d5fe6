"""Where each library lives, and how it is measured there: an environment and a process of its own."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PEERS = Path(os.environ.get("PEERS", HERE.parent / ".venv-peers"))

NAMES = {
    "ours": "tool-core",
    "pydantic_ai": "pydantic-ai",
    "openai_agents": "openai-agents",
    "langchain": "LangChain",
    "fastmcp": "FastMCP",
    "mcp": "mcp",
    "anthropic": "anthropic",
    "openai": "openai",
}
WITH_TOOLS = [name for name in NAMES if name != "openai"]


def python_of(name: str) -> str:
    """The interpreter of a library's environment; ours is the one that runs."""
    return sys.executable if name == "ours" else str(PEERS / name / "bin" / "python")


def is_there(name: str) -> bool:
    return Path(python_of(name)).exists()


def measured(name: str, measurement: str, *arguments: str) -> Any:
    """Run `subject.py` for a library; None, with the reason on standard error, where that fails."""
    if not is_there(name):
        print(f"  {NAMES[name]}: not installed (make peers)", file=sys.stderr)
        return None
    command = [python_of(name), "-W", "ignore", str(HERE / "subject.py"), name, measurement, *arguments]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode:
        print(f"  {NAMES[name]}: {answer.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    return json.loads(answer.stdout)


def cpu_seconds(command: list[str], **options: Any) -> float:
    """Run a command and return the CPU time that it and its children took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=False, capture_output=True, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
