"""What is worth saying about tools, each thing once, with the providers that it concerns. Edge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tool_core.cli.assessments import Assessment, Verdict
from tool_core.cli.columns import Column
from tool_core.mcp import Notes
from tool_core.queries import get_strict_mode
from tool_core.strict.rewrites import WORDS

Kind: TypeAlias = Literal["impossible", "lenient", "lost", "narrowed", "mended", "rewritten", "renamed"]
Threshold: TypeAlias = Literal["impossible", "lenient", "lost", "rewritten", "never"]

_RANKS: dict[Kind, int] = {
    "renamed": 0,
    "rewritten": 0,
    "mended": 1,
    "narrowed": 1,
    "lost": 1,
    "lenient": 2,
    "impossible": 3,
}
_THRESHOLDS: dict[Threshold, int] = {"rewritten": 0, "lost": 1, "lenient": 2, "impossible": 3, "never": 4}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing about one tool.

    `is_wanted` marks what the author asked for, such as `Strict` False: it is shown and never fails.
    """

    kind: Kind
    tool: str
    pointer: str
    text: str
    topic: str
    """What sums up many findings: the keyword that is lost, the kind of rewriting, else the text."""
    columns: tuple[Column, ...] = ()
    is_wanted: bool = False

    def counts_at(self, threshold: Threshold) -> bool:
        """Whether the finding is at or above what a run fails on.

        >>> Finding("lost", "Now", "", "must match ^a", "pattern").counts_at("lenient")
        False
        """
        return not self.is_wanted and _RANKS[self.kind] >= _THRESHOLDS[threshold]


def findings_in(assessment: Assessment, refused: Sequence[tuple[str, str]] = ()) -> list[Finding]:
    """List the findings tool by tool; what several providers have in common is one finding."""
    wanted = {tool.name for tool in assessment.toolkit if get_strict_mode(tool) is False}
    merged: dict[tuple[Kind, str, str, str, str], list[Column]] = {}
    for name in assessment.toolkit.tools:
        for result in assessment.results:
            for kind, pointer, text, topic in _said(name, result.verdicts[name]):
                merged.setdefault((kind, name, pointer, text, topic), []).append(result.column)
    unreadable = [Finding("impossible", name, "", why, why, assessment.columns) for name, why in refused]
    mended = [
        Finding("mended", tool.name, "", note, note, assessment.columns)
        for tool in assessment.toolkit
        for note in tool.annotations.get(Notes)
    ]
    return (
        unreadable
        + mended
        + [
            Finding(*key, tuple(columns), is_wanted=key[0] == "lenient" and key[1] in wanted)
            for key, columns in merged.items()
        ]
    )


def failing(findings: Iterable[Finding], threshold: Threshold) -> list[Finding]:
    """Keep what a run fails on."""
    return [finding for finding in findings if finding.counts_at(threshold)]


def _said(name: str, verdict: Verdict) -> Iterator[tuple[Kind, str, str, str]]:
    reason, form = verdict.reason, verdict.form
    if verdict.state == "impossible":
        yield "impossible", "", reason, reason
    if verdict.state == "lenient" and verdict.is_required:
        yield "impossible", "", f"requires strict mode, but {reason}", reason
    elif verdict.state == "lenient":
        yield "lenient", "", reason, reason
    if verdict.wire_name not in (None, name):
        yield "renamed", "", f"{verdict.wire_name} on the wire", "named differently"
    if form is not None:
        for rewrite in form.rewrites:
            yield "rewritten", rewrite.pointer, rewrite.detail, WORDS.get(rewrite.kind, "named differently")
        for loss in form.losses:
            yield "lost", loss.pointer, loss.detail, loss.keyword
        for note in form.notes:
            yield "narrowed", note.pointer, note.text, note.text
