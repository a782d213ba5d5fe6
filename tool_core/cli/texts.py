"""Text of strangers made fit for a terminal: names and descriptions cannot move the cursor. Edge."""

from __future__ import annotations

import re

_UNFIT = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)  # controls, and marks that change the direction of the text around them

_LONGEST_PLACE = 60


def fit(text: str) -> str:
    r"""Show what would act on the terminal instead of letting it act; line ends become spaces.

    >>> fit("red \x1b[31m")
    'red \\x1b[31m'
    >>> fit("one\ntwo")
    'one two'
    """
    return visible(" ".join(text.split()))


def visible(line: str) -> str:
    r"""Write out what would act on the reader's screen, and leave the rest, blanks included.

    >>> visible("  a \x1b[2J")
    '  a \\x1b[2J'
    """
    return _UNFIT.sub(lambda found: ascii(found.group())[1:-1], line)


def place(pointer: str) -> str:
    """Write a JSON pointer into a schema as people name the place.

    >>> place("/properties/filters/items/properties/id"), place("/$defs/City/properties/id"), place("")
    ('filters[].id', 'City.id', 'root')
    """
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    pending = iter(steps)
    shown = ""
    for step in pending:
        if step in ("properties", "$defs", "definitions"):
            shown += f".{next(pending, step)}"
        elif step == "items":
            shown += "[]"
        else:
            shown += f"/{step}"
    whole = fit(shown.removeprefix(".")) or "root"
    return whole if len(whole) <= _LONGEST_PLACE else f"{whole[:_LONGEST_PLACE]}..."


def counted(number: int, noun: str) -> str:
    """Count things in words.

    >>> counted(1, "tool"), counted(3, "tool")
    ('1 tool', '3 tools')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
