"""A stranger's text as Python source: quoted so that it stays text, laid out as formatters leave it. Layer 3.

Nothing a server sends reaches a generated module but through this file (as a string) or through
`identifiers` (as a name of ASCII letters).
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping

WIDTH = 100

_LONGEST_DOC = 2_000
_QUOTES = re.compile(r'"{3,}|\A"|"\Z')
_SHORT_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}


def string(text: str) -> str:
    r"""Write a string literal on one line, in ASCII.

    >>> print(string('say "hi"'), string("it's"), string("tab\t and é"))
    'say "hi"' "it's" "tab\t and \xe9"
    """
    quote = "'" if text.count('"') > text.count("'") else '"'
    body = "".join(_escaped(char) for char in text)
    return quote + body.replace(quote, f"\\{quote}") + quote


def text_block(text: str) -> str:
    r"""Write a string of several lines with its line breaks, and any other one on one line.

    >>> text_block("one"), text_block("two\nlines").strip('"')
    ('"one"', 'two\nlines')
    """
    if "\n" not in text:
        return string(text)
    return f'"""{_between_quotes(text)}"""'


def docstring(text: str, indent: str = "    ") -> str:
    r"""Write documentation, cleaned of odd white space and of all too great length.

    >>> docstring("Only one line.").strip().strip('"'), docstring(" ")
    ('Only one line.', '')
    """
    lines = [part for line in _clean_lines(text) for part in _wrapped(line, WIDTH - len(indent) - 3)]
    if not lines:
        return ""
    first, *rest = _between_quotes("\n".join(lines)).split("\n")
    if not rest:
        return f'{indent}"""{first}"""\n'
    laid_out = [f'{indent}"""{first}', *(f"{indent}{line}" if line else "" for line in rest), f'{indent}"""']
    return "\n".join(laid_out) + "\n"


def json_block(value: Mapping[str, object], indent: str) -> str:
    r"""Write a JSON value as a raw string; JSON in ASCII never holds three quotes in a row.

    >>> json_block({"type": "object"}, "").splitlines()[1]
    '{"type": "object"}'
    """
    return "\n".join(['r"""', *_json_lines(value, indent, ""), f'{indent}"""'])


def _json_lines(value: object, indent: str, end: str, start: str = "") -> Iterator[str]:
    """Lay JSON out: on one line what fits, else one entry to a line."""
    line = f"{indent}{start}{json.dumps(value)}{end}"
    if len(line) <= WIDTH or not isinstance(value, Mapping | list) or not value:
        yield line
        return
    pairs = value.items() if isinstance(value, Mapping) else ((None, item) for item in value)
    yield f"{indent}{start}{'{' if isinstance(value, Mapping) else '['}"
    for number, (key, item) in enumerate(pairs, 1):
        comma = "," if number < len(value) else ""
        yield from _json_lines(item, f"{indent}  ", comma, "" if key is None else f"{json.dumps(key)}: ")
    yield f"{indent}{'}' if isinstance(value, Mapping) else ']'}{end}"


def _clean_lines(text: str) -> list[str]:
    """Drop what is invisible at the ends, and the indentation that all lines but the first share."""
    cut = text if len(text) <= _LONGEST_DOC else f"{text[:_LONGEST_DOC]}..."
    lines = [line.rstrip() for line in re.split(r"\r\n|\r|\n", cut.expandtabs(4))]
    first = next((number for number, line in enumerate(lines) if line), len(lines))
    last = next((number for number in range(len(lines), first, -1) if lines[number - 1]), first)
    kept = lines[first:last]
    margin = min((len(line) - len(line.lstrip(" ")) for line in kept[1:] if line), default=0)
    return [kept[0].lstrip(), *(line[margin:] for line in kept[1:])] if kept else []


def _wrapped(line: str, width: int) -> list[str]:
    """Break a long line between words, as far in as it begins."""
    margin = line[: len(line) - len(line.lstrip(" "))]
    broken = textwrap.wrap(
        line, width, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False
    )
    return broken or [""]


def _between_quotes(text: str) -> str:
    """Write a text so that it can stand between triple quotes.

    What can be seen is kept; a character that cannot, or that turns the text round, is escaped, and
    so is every quote that would end the string, or meet the quotes at its ends.
    """
    seen = "".join(
        char if char == "\n" or (char.isprintable() and char != "\\") else _escaped(char) for char in text
    )
    return _QUOTES.sub(lambda found: '\\"' * len(found[0]), seen)


def _escaped(char: str) -> str:
    return _SHORT_ESCAPES.get(char) or _ascii(char)


def _ascii(char: str) -> str:
    return char if " " <= char <= "~" else ascii(char)[1:-1]
