"""The results as a page: targets first, then one table for each question, ratios before anything else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from environments import NAMES, WITH_TOOLS

Results = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Target:
    """A promise about a number, kept where the number is at most the limit."""

    name: str
    limit: float
    read: Callable[[Results], float]

    def value(self, results: Results) -> float | None:
        try:
            return self.read(results)
        except (KeyError, TypeError, ValueError):
            return None

    def is_missed(self, results: Results) -> bool:
        value = self.value(results)
        return value is None or value > self.limit


def _against_best_peer(section: str, key: str) -> Callable[[Results], float]:
    """Ours as a multiple of the best peer's."""

    def read(results: Results) -> float:
        found = results[section]
        peers = [row[key] for name, row in found.items() if name != "ours" and row and key in row]
        return float(found["ours"][key] / min(peers))

    return read


def _best_share(corpus: str, dialect: str) -> Callable[[Results], float]:
    """The best peer's share of good conversions as a fraction of ours."""

    def read(results: Results) -> float:
        rows = [row for row in results["strict"][corpus]["rows"] if row["dialect"] == dialect]
        ours = next(row["good"] for row in rows if row["converter"] == "ours")
        return float(max(row["good"] for row in rows if row["converter"] != "ours") / ours)

    return read


def _best_seen(results: Results) -> float:
    """The mistakes that mypy sees in the best peer's code as a fraction of those in ours."""
    found = results["static"]
    peers = [len(row[name]["mypy"]) for name, row in found.items() if name != "ours"]
    return max(peers) / len(found["ours"]["ours"]["mypy"])


def _plugin_cost(results: Results) -> float:
    found = next(row for row in results["plugin"] if row["tools"] == 1000)
    return float(found["on"] / found["off"])


TARGETS = [
    Target("typed sync call / floor", 1.5, lambda r: r["dispatch"]["ours"]["sync, no loop"]),
    Target("typed async call / floor", 1.8, lambda r: r["dispatch"]["ours"]["async"]),
    Target("validated dynamic call / floor", 2.5, lambda r: r["dynamic"]["ours"]["x floor"]),
    Target("async call / best peer's", 1.0, _against_best_peer("dispatch", "async")),
    Target("sync call / best peer's", 1.0, _against_best_peer("dispatch", "sync, no loop")),
    Target(
        "call among 10,000 tools / among 10",
        1.15,
        lambda r: r["scale"]["ours"]["10000"]["async x floor"] / r["scale"]["ours"]["10"]["async x floor"],
    ),
    Target(
        "cost a call: 100,000 calls / 1,000 calls",
        1.15,
        lambda r: (
            r["scale"]["ours"]["calls"]["100000"]["x floor"] / r["scale"]["ours"]["calls"]["1000"]["x floor"]
        ),
    ),
    Target(
        "resolve of 10,000 calls / one by one",
        1.5,
        lambda r: r["turns"]["resolve of 10,000 calls / the same calls one by one"],
    ),
    Target("define from a type / TypeAdapter", 1.3, lambda r: r["types"]["define / TypeAdapter"]),
    Target(
        "define and describe / TypeAdapter and json_schema",
        1.3,
        lambda r: r["types"]["define and describe / TypeAdapter and json_schema"],
    ),
    Target("from a function / signature and hints", 10, lambda r: r["definition"]["ours"]["define"]),
    Target("from a function / best peer's", 1.0, _against_best_peer("definition", "define")),
    Target("described / best peer's", 1.0, _against_best_peer("definition", "define and describe")),
    Target("memory of a defined tool / best peer's", 1.0, _against_best_peer("memory", "defined")),
    Target("check of 200 tools, seconds of CPU", 3, lambda r: r["command line"]["check"]),
    Target("import / pydantic", 1.2, lambda r: r["import"]["ours"]["x pydantic"]),
    Target("import / best peer's", 1.0, _against_best_peer("import", "x pydantic")),
    Target("mypy, cold, on an import / best peer's", 1.0, _against_best_peer("static", "mypy, CPU seconds")),
    Target("mypy on 1,000 tools, plugin on / off", 1.15, _plugin_cost),
    Target("mistakes seen by mypy: best peer's / ours", 1.0, _best_seen),
    *(
        Target(f"good, {corpus}, {dialect}: best peer's / ours", 1.0, _best_share(corpus, dialect))
        for corpus in ("mcp-tools", "json-schemas")
        for dialect in ("openai", "anthropic", "google")
    ),
]  # fmt: skip


def page(results: Results) -> str:
    """Write all that was measured."""
    sections = [
        _targets(results),
        _dispatch(results),
        _scale(results),
        _definition(results),
        _types_and_turns(results),
        _strict(results),
        _static(results),
        _plugin(results),
        _validation(results),
        _scale_out(results),
        _command_line(results),
        _versions(results),
    ]
    return _HEAD + "\n".join(part for part in sections if part)


_HEAD = """# Results

Written by `make bench`, which installs every peer into an environment of its own and measures each in a
process of its own. Ratios are medians of interleaved rounds of CPU time in one run, so they carry from
machine to machine; absolute figures do not. The floor of a call is `json.loads`, the handler and
`json.dumps` in the same process. `results.json` holds the same as data.

"""


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---", *("---:" for _ in head[1:])], *rows]
    return "\n".join("| " + " | ".join(_cell(item) for item in line) + " |" for line in lines) + "\n"


def _cell(item: object) -> str:
    if item is None:
        return "-"
    if isinstance(item, bool):
        return "yes" if item else "no"
    if not isinstance(item, float):
        return str(item)
    if abs(item) < 10 or 99.9 < abs(item) < 100:  # all but one in a thousand is not all
        return f"{item:.2f}"
    return f"{item:,.1f}" if abs(item) < 100 else f"{item:,.0f}"


def _targets(results: Results) -> str:
    rows = [
        (
            target.name,
            target.value(results),
            float(target.limit),
            "no" if target.is_missed(results) else "yes",
        )
        for target in TARGETS
    ]
    return "## Targets\n\n" + _table(["", "measured", "at most", "kept"], rows)


def _by_library(found: Results, keys: Sequence[str]) -> list[list[object]]:
    rows = [(name, found[name]) for name in WITH_TOOLS if found.get(name)]
    return [[NAMES[name], *(row.get(key) for key in keys)] for name, row in rows]


def _dispatch(results: Results) -> str:
    keys = ["sync, no loop", "async", "sync, in a loop"]
    text = "## One call, from JSON text to encoded result (x floor)\n\n"
    text += _table(["", *keys], _by_library(results["dispatch"], keys))
    text += """
A dash means that the library has no such way. In a loop, plain functions run in a thread everywhere but in
anthropic, which blocks the loop; tool-core does that with `run_sync="inline"` only. anthropic and
openai-agents do not check results; openai-agents writes a dict as Python's `repr`.

## One call of a tool known by a raw JSON Schema (x floor)

"""
    keys = ["x floor", "refuses wrong arguments"]
    return text + _table(["", *keys], _by_library(results["dynamic"], keys))


def _scale(results: Results) -> str:
    found = {name: row for name, row in results["scale"].items() if row}
    sizes = ["10", "100", "1000", "10000"]
    calls = [
        [
            NAMES[name],
            *(row[size]["async x floor"] for size in sizes),
            row["calls"]["1000"]["x floor"],
            row["calls"]["100000"]["x floor"],
        ]
        for name, row in found.items()
    ]
    text = "## Many tools, many calls (async call, x floor)\n\n"
    text += _table(["", *(f"{int(size):,} tools" for size in sizes), "1,000 calls", "100,000 calls"], calls)
    defined = [
        [NAMES[name], *(row[size][key] for key in _DEFINED for size in ("100", "10000"))]
        for name, row in found.items()
    ]
    text += "\n## Defining tools from functions (microseconds a tool)\n\n"
    heads = [f"{what}, {size}" for what in ("define", "and describe") for size in ("100", "10,000")]
    return text + _table(["", *heads], defined)


_DEFINED = ("define, us a tool", "define and describe, us a tool")


def _definition(results: Results) -> str:
    keys = ["define", "define and describe"]
    text = "## Defining a tool from a function (x `inspect.signature` + `get_type_hints`)\n\n"
    text += _table(["", *keys], _by_library(results["definition"], keys))
    text += "\n## Memory (bytes a tool, 5,000 tools)\n\n"
    keys = ["defined", "described"]
    text += _table(["", *keys], _by_library(results["memory"], keys))
    text += "\n## Import (x pydantic)\n\n"
    rows = [
        [NAMES[name], f"`{row['statement']}`", row["x pydantic"], row["ms"]]
        for name, row in results["import"].items()
    ]
    return text + _table(["", "statement", "x pydantic", "ms of CPU"], rows)


def _types_and_turns(results: Results) -> str:
    rows = [*results["types"].items(), *results["turns"].items()]
    return "## Types and turns\n\n" + _table(["", "ratio"], rows)


def _strict(results: Results) -> str:
    text = "## Strict conversion of real schemas (per cent)\n\n"
    for corpus in ("mcp-tools", "json-schemas"):
        if corpus not in results.get("strict", {}):
            return text + "The corpora were not there.\n"
        found = results["strict"][corpus]
        keys = ["converted", "violations", "wrong", "good", "x json.loads"]
        rows = [
            [NAMES[row["converter"]], row["dialect"], *(row[key] for key in keys)] for row in found["rows"]
        ]
        text += f"{corpus}, {found['schemas']:,} schemas\n\n" + _table(["", "dialect", *keys], rows) + "\n"
    growth = results["strict"]["time of 2,000 properties / time of 200"]
    return text + _STRICT_WORDS + f"2,000 properties take {growth:.1f} times as long as 200.\n"


_STRICT_WORDS = """Violations: outside the provider's documented subset. Wrong: the output accepts what the
original refuses beyond what is listed as lost, or refuses what it accepts. Good: neither. Time is CPU time
as a multiple of `json.loads` of the same schemas; only tool-core's includes the way back.
"""


def _static(results: Results) -> str:
    if "static" not in results:
        return ""
    found = results["static"]
    text = "## Type checkers: the cost of an import, and mistakes seen before anything runs\n\n"
    rows = []
    for name, row in found.items():
        for file in [key for key in row if key != "mypy, CPU seconds"]:
            label = NAMES[name] + (", no plugin needed" if file == "ours_portable" else "")
            seen = [f"{len(row[file][checker])} of 20" for checker in ("mypy", "pyright")]
            rows.append([label, row["mypy, CPU seconds"], *seen, f"{20 - row[file]['mistakes']}"])
    head = ["", "mypy, cold, CPU seconds", "seen by mypy", "seen by pyright", "not possible"]
    text += _table(head, rows) + "\n"
    names = [f"M{number:02}" for number in range(1, 21)]
    marks = [[_MISTAKES[name], *(_mark(row, name) for row in found.values())] for name in names]
    text += _table(["", *(NAMES[name] for name in found)], marks)
    return text + _STATIC_WORDS


def _mark(row: Results, mistake: str) -> str:
    files = [value for key, value in row.items() if key != "mypy, CPU seconds"]
    by_mypy = mistake in files[0]["mypy"]
    by_pyright = any(mistake in file["pyright"] for file in files)
    return "both" if by_mypy and by_pyright else "mypy" if by_mypy else "pyright" if by_pyright else "-"


_MISTAKES = {
    "M01": "handler takes the wrong parameter type",
    "M02": "handler misses a declared parameter",
    "M03": "handler returns the wrong type",
    "M04": "success value has a misspelt key",
    "M05": "union parameter read without narrowing",
    "M06": "handler accepts one union member only",
    "M07": "handler registered under an unknown tool name",
    "M08": "tool without a handler",
    "M09": "two tools under one name",
    "M10": "handler fails with an undeclared failure",
    "M11": "success read without ruling out the failure",
    "M12": "unknown arguments indexed without narrowing",
    "M13": "dynamic tool has an invalid JSON Schema",
    "M14": "wrong parameters in a direct call",
    "M15": "misspelt tool name in a tool choice",
    "M16": "result used with the wrong type",
    "M17": "tool annotation of the wrong value type",
    "M18": "async/sync mix-up",
    "M19": "missing dependency",
    "M20": "approval function with the wrong parameter type",
}
_STATIC_WORDS = """
The code is in `benchmarks/mistakes/`, in each library's own style and fully annotated. tool-core's mypy
column is with its plugin; "no plugin needed" is the style that every checker understands
(`tool.implement(handler)`), and its marks count for pyright above. "Not possible": the library has no such
thing to get wrong.
"""


def _validation(results: Results) -> str:
    found = results["validation"]
    keys = list(found["small"])
    text = "## Reading and checking arguments against a raw JSON Schema (x `json.loads`)\n\n"
    text += _table(
        ["", "small", "medium"], [[key, found["small"][key], found["medium"][key]] for key in keys]
    )
    return (
        text
        + """
`decode_json` reads by the rules of `secure_json_loads` (repeated keys, depth, `__proto__`), which the others
do not.
"""
    )


def _scale_out(results: Results) -> str:
    found = results["scale-out"]
    text = f"## A CPU-bound turn of {found['calls']} calls on {found['workers']} workers (wall time)\n\n"
    keys = ["x bare executor", "speed-up", "efficiency of a worker"]
    rows = [[name, *(found[name][key] for key in keys)] for name in ("threads", "processes", "Dask")]
    note = (
        "\nA call takes about 10 ms. Threads share Python's lock; Dask's scheduler and this process share\n"
        "the cores with the workers, so a cluster pays off with more cores or longer calls.\n"
    )
    return text + _table(["", *keys], rows) + note


def _plugin(results: Results) -> str:
    found = results.get("plugin")
    if not found:
        return ""
    text = "## What the mypy plugin costs: a module of so many tools, checked cold (seconds of CPU)\n\n"
    rows = [[row["tools"], row["off"], row["on"], row["on"] / row["off"]] for row in found]
    return text + _table(["tools", "plugin off", "plugin on", "on / off"], rows)


def _command_line(results: Results) -> str:
    found = results.get("command line")
    if not found:
        return ""
    text = "## The command line on 200 real tools and three providers (seconds of CPU, without mypy)\n\n"
    return text + _table(
        ["", "seconds"], [[f"tool-core {name}", found[name]] for name in ("check", "report")]
    )


def _versions(results: Results) -> str:
    rows = [[row["package"], row["version"]] for row in results["import"].values()]
    machine = results["machine"]
    text = f"## Versions\n\nPython {machine['python']}, {machine['cores']} cores.\n\n"
    return text + _table(["package", "version"], rows)
