"""What a hostile model, server or client may send."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

ODD_TEXTS = [
    "", "__proto__", "constructor", "prototype", "$ref", "$defs", "#", "#/", "#/$defs/a", "%", "~0~1", "\x00",
    "\u2028", "é", "\U0001f600", "a" * 300, "../../etc/passwd", "file:///etc/passwd", "http://127.0.0.1:9/x",
    "'''", '"""', "${x}", "{{x}}", "<script>alert(1)</script>", "__import__('os').system('id')", "(a+)+$", "[", "(?P<",
    "^(a|a)*$", "\\", "value", "key", "__extra__", "__object__", "__option__", "__null__", "0", "-1", "1e999", "NaN",
]  # fmt: skip
TEXTS = st.one_of(st.sampled_from(ODD_TEXTS), st.text(max_size=8))
NUMBERS = st.one_of(
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0, -0.0, 1.0, 2**53, 1e308, 5e-324]),
)
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS)


def json_values(leaves: int = 12) -> st.SearchStrategy[Any]:
    """Write any JSON value."""
    return st.recursive(
        SCALARS,
        lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=4)),
        max_leaves=leaves,
    )


def python_values() -> st.SearchStrategy[Any]:
    """Write what is no JSON as well: a caller's mistake, or an object of some SDK."""
    odd = st.sampled_from([b"bytes", {1, 2}, object(), float("nan"), float("inf"), "\ud800", 1j, print, Exception("x"), ..., (1, 2), {1: 2}])  # fmt: skip
    return st.recursive(
        st.one_of(SCALARS, odd),
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
        max_leaves=8,
    )


_KEYWORDS = [
    "type", "enum", "const", "properties", "required", "additionalProperties", "patternProperties", "propertyNames",
    "items", "prefixItems", "additionalItems", "contains", "minItems", "maxItems", "uniqueItems", "minimum", "maximum",
    "exclusiveMinimum", "multipleOf", "minLength", "maxLength", "pattern", "format", "allOf", "anyOf", "oneOf", "not",
    "if", "then", "else", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties",
    "unevaluatedItems", "$ref", "$dynamicRef", "$anchor", "$id", "$schema", "$defs", "definitions", "default",
    "description", "title", "examples", "nullable", "$comment", "minProperties", "maxProperties", "$recursiveRef",
]  # fmt: skip
_TYPES = ["string", "number", "integer", "boolean", "null", "array", "object", "any", "", "String", 3, None]
_REFERENCES = ["#", "#/", "#/$defs/a", "#/properties/a", "#a", "http://example.invalid/x", "#/$defs/a/../b", "file:///etc/passwd", "urn:x", 3, None]  # fmt: skip


def _keyword_values(schemas: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    named = st.dictionaries(st.one_of(st.sampled_from(["a", "b", "c"]), TEXTS), schemas, max_size=3)
    listed = st.lists(schemas, max_size=3)
    known: dict[str, st.SearchStrategy[Any]] = {
        "type": st.one_of(st.sampled_from(_TYPES), st.lists(st.sampled_from(_TYPES), max_size=3)),
        "$ref": st.sampled_from(_REFERENCES),
        "$schema": st.sampled_from(["http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema", "nonsense"]),
        "enum": st.lists(SCALARS, max_size=4),
        "required": st.one_of(st.lists(st.sampled_from(["a", "b", "z"]), max_size=3), st.booleans()),
        "pattern": st.sampled_from(["(a+)+$", "^(a|a)*$", "[", "^[a-z]+$", "(?=x)", "\\p{L}", "a{1,99999}", "\\1", ""]),
    }  # fmt: skip
    for keyword in ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"):
        known[keyword] = named
    for keyword in ("allOf", "anyOf", "oneOf", "prefixItems"):
        known[keyword] = listed
    for keyword in (
        "items",
        "additionalProperties",
        "not",
        "if",
        "then",
        "else",
        "contains",
        "propertyNames",
    ):
        known[keyword] = schemas
    for keyword in ("minItems", "maxItems", "minLength", "maxLength", "minimum", "maximum", "multipleOf"):
        known[keyword] = NUMBERS
    return known


def schemas(valid_mostly: bool = True) -> st.SearchStrategy[Any]:
    """Write a JSON Schema: plausible keywords with plausible or absurd values."""

    def node(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        known = _keyword_values(inner)

        def build(keywords: list[str]) -> st.SearchStrategy[Any]:
            fallback = json_values(3)
            chosen = {
                keyword: known.get(keyword, fallback) if valid_mostly else st.one_of(known.get(keyword, fallback), fallback)
                for keyword in keywords
            }  # fmt: skip
            return st.fixed_dictionaries(chosen)

        return st.lists(st.sampled_from(_KEYWORDS), unique=True, max_size=5).flatmap(build)

    leaves = st.one_of(st.booleans(), st.builds(lambda kind: {"type": kind}, st.sampled_from(_TYPES[:7])))
    return st.recursive(leaves, node, max_leaves=10)


def nested(depth: int, opening: str, closing: str, middle: str = "1") -> str:
    """Write a text that nests absurdly."""
    return opening * depth + middle + closing * depth
