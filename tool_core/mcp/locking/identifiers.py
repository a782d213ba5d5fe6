"""Python names made of a stranger's words: ASCII letters and digits, no keyword, each given once. Layer 3."""

from __future__ import annotations

import keyword
import re
import unicodedata
from dataclasses import dataclass, field

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_LONGEST = 60
_LONGEST_VARIABLE = 40
"""So that `name = name.annotate(` is one line."""

_USED = frozenset(
    {
        "annotations", "bool", "dict", "float", "int", "list", "object", "str",
        "CONTENT", "Destructive", "FINGERPRINT", "Final", "Idempotent", "JsonSchema", "Literal", "Never",
        "None", "NotRequired", "OpenWorld", "Readonly", "TOOLKIT", "Title", "Tool", "Toolkit", "TypeAlias",
        "TypedDict", "Union",
    }
)  # fmt: skip
"""The names that a generated module uses itself."""


@dataclass(slots=True)
class Names:
    """Hands out names, each once."""

    taken: set[str] = field(default_factory=lambda: set(_USED))
    classes: set[str] = field(default_factory=set)

    def of_class(self, *words: str) -> str:
        """Name a type.

        >>> names = Names()
        >>> names.of_class("get-user", "Input"), names.of_class("get_user", "Input"), names.of_class("é", "1")
        ('GetUserInput', 'GetUserInput2', 'E1')
        """
        name = self._once(camel(*words)[:_LONGEST] or "Value")
        self.classes.add(name)
        return name

    def of_variable(self, text: str) -> str:
        """Name a value.

        >>> Names().of_variable("getHTTPUser"), Names().of_variable("import"), Names().of_variable("str")
        ('get_http_user', 'import_', 'str_')
        """
        base = "_".join(word.lower() for word in _words(text))[:_LONGEST_VARIABLE].rstrip("_")
        legal = base if base and not base[0].isdigit() else f"tool_{base}".rstrip("_")
        is_free = not keyword.iskeyword(legal) and legal not in _USED
        return self._once(legal if is_free else f"{legal}_")

    def _once(self, base: str) -> str:
        name, number = base, 1
        while name in self.taken:
            number += 1
            name = f"{base}{number}"
        self.taken.add(name)
        return name


def camel(*words: str) -> str:
    """Join words as the name of a type.

    >>> camel("list_users", "filterBy", "2nd")
    'ListUsersFilterBy2Nd'
    """
    joined = "".join(part[:1].upper() + part[1:] for word in words for part in _words(word))
    return f"T{joined}" if joined[:1].isdigit() else joined


def is_field_name(text: str) -> bool:
    """Tell whether a key can stand in the body of a class: a plain name that Python does not mangle.

    >>> is_field_name("query"), is_field_name("a-b"), is_field_name("class"), is_field_name("__x")
    (True, False, False, False)
    """
    is_plain = text.isascii() and text.isidentifier() and not keyword.iskeyword(text)
    return is_plain and not text.startswith("__")


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return _WORD.findall(plain)
