"""What `--json` prints: TypedDicts, whose schema is the documentation. Edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from typing_extensions import TypedDict

from tool_core.cli.assessments import Assessment, ColumnResult, State, Verdict
from tool_core.cli.findings import Finding, Kind
from tool_core.cli.type_checks import TypeCheck
from tool_core.queries import get_description, get_json_schema, is_dynamic, is_provider_defined
from tool_core.tools import AnyTool


class RewriteDocument(TypedDict):
    """A place where values look different on the wire."""

    pointer: str
    kind: str
    detail: str


class LossDocument(TypedDict):
    """A constraint that the grammar cannot hold."""

    pointer: str
    keyword: str
    detail: str


class NoteDocument(TypedDict):
    """A part that was narrowed."""

    pointer: str
    text: str


class VerdictDocument(TypedDict):
    """One tool at one provider."""

    provider: str
    model: str
    state: State
    reason: str
    wire_name: str | None
    wire_schema: dict[str, object] | None
    rewrites: list[RewriteDocument]
    losses: list[LossDocument]
    notes: list[NoteDocument]
    uses: dict[str, int]


class ToolDocument(TypedDict):
    """One tool: the author's schema, and what becomes of it at each provider."""

    name: str
    kind: str
    description: str | None
    parameters: dict[str, object]
    verdicts: list[VerdictDocument]


class BudgetDocument(TypedDict):
    """What of a provider's budget a request with all tools uses; a limit of null is none."""

    provider: str
    model: str
    used: dict[str, int]
    limits: dict[str, int | None]


class FindingDocument(TypedDict):
    """One finding; `fails` says whether the run failed on it."""

    kind: Kind
    tool: str
    pointer: str
    text: str
    models: list[str]
    fails: bool


class TypeProblemDocument(TypedDict):
    """What mypy says about one place."""

    file: str
    line: int
    column: int
    code: str
    message: str


class TypesDocument(TypedDict):
    """What mypy found; `skipped` says why it was not asked."""

    problems: list[TypeProblemDocument]
    skipped: str | None


class CheckDocument(TypedDict):
    """What `tool-core check --json` prints. `version` changes when a field changes its meaning."""

    version: int
    target: str
    tools: list[ToolDocument]
    budgets: list[BudgetDocument]
    findings: list[FindingDocument]
    types: TypesDocument | None
    exit_code: int


def check_document(
    target: str,
    assessment: Assessment,
    findings: Sequence[Finding],
    failing: Sequence[Finding],
    types: TypeCheck | None,
    exit_code: int,
) -> CheckDocument:
    """Put a whole run of `check` into one document."""
    return {
        "version": 1,
        "target": target,
        "tools": [tool_document(tool, assessment) for tool in assessment.toolkit],
        "budgets": [budget_document(result) for result in assessment.results],
        "findings": [_finding(item, item in failing) for item in findings],
        "types": None if types is None else _types(types),
        "exit_code": exit_code,
    }


def kind_of(tool: AnyTool) -> str:
    """Name the kind of a tool: `tool`, `dynamic` or `provider`."""
    return "dynamic" if is_dynamic(tool) else "provider" if is_provider_defined(tool) else "tool"


def verdict_document(result: ColumnResult, verdict: Verdict) -> VerdictDocument:
    """Write one verdict."""
    form = verdict.form
    return {
        "provider": result.column.provider,
        "model": result.column.model,
        "state": verdict.state,
        "reason": verdict.reason,
        "wire_name": verdict.wire_name,
        "wire_schema": None if form is None else form.schema,
        "rewrites": [
            {"pointer": item.pointer, "kind": item.kind, "detail": item.detail}
            for item in (form.rewrites if form else ())
        ],
        "losses": [
            {"pointer": item.pointer, "keyword": item.keyword, "detail": item.detail}
            for item in (form.losses if form else ())
        ],
        "notes": [{"pointer": item.pointer, "text": item.text} for item in (form.notes if form else ())],
        "uses": asdict(verdict.usage),
    }


def tool_document(tool: AnyTool, assessment: Assessment) -> ToolDocument:
    """Write one tool with all its verdicts."""
    return {
        "name": tool.name,
        "kind": kind_of(tool),
        "description": get_description(tool),
        "parameters": get_json_schema(tool),
        "verdicts": [verdict_document(item, item.verdicts[tool.name]) for item in assessment.results],
    }


def budget_document(result: ColumnResult) -> BudgetDocument:
    """Write the use of one provider's budget."""
    return {
        "provider": result.column.provider,
        "model": result.column.model,
        "used": asdict(result.usage),
        "limits": asdict(result.budget),
    }


def _finding(item: Finding, fails: bool) -> FindingDocument:
    return {
        "kind": item.kind,
        "tool": item.tool,
        "pointer": item.pointer,
        "text": item.text,
        "models": [column.model for column in item.columns],
        "fails": fails,
    }


def _types(check: TypeCheck) -> TypesDocument:
    return {
        "problems": [
            TypeProblemDocument(
                file=item.file, line=item.line, column=item.column, code=item.code, message=item.message
            )
            for item in check.problems
        ],
        "skipped": check.skipped,
    }
