"""Toolkits: immutable sets of tools with one name each. Layer 2."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, cast

from typing_extensions import TypeVar

from tool_core.errors import ToolConfigurationError
from tool_core.implementations import Implementation
from tool_core.names import check_tool_name, did_you_mean
from tool_core.options import for_tool
from tool_core.tools import AnyTool, Tool

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from tool_core.binding import BindOptions
    from tool_core.bound_toolkits import BoundToolkit

Tools_co = TypeVar("Tools_co", covariant=True, default=object)

_NONE: Mapping[str, object] = {}  # no tool needs a handler here
_FILLERS = frozenset(["a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"])
_ENDING = re.compile(r"(es|s|ed|ing|e)\Z")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_A-Za-z]+")


@dataclass(frozen=True, slots=True, eq=False)
class ToolMap(Mapping[str, AnyTool], Generic[Tools_co]):
    """The tools of a toolkit by name; with the mypy plugin each name gives that tool's own type.

    >>> tools = Toolkit.make(Tool.make("Now", success=float)).tools
    >>> tools["Now"], "Later" in tools
    (Tool 'Now' (EmptyParams) -> float, False)
    """

    _by_name: Mapping[str, AnyTool]

    def __getitem__(self, name: str, /) -> AnyTool:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Toolkit(Generic[Tools_co]):
    """The tools of an agent; with the mypy plugin its type is a TypedDict from name to tool.

    >>> kit = Toolkit.make(Tool.make("Now", success=float), Tool.make("Search", success=str))
    >>> list(kit.tools), len(kit.filter(["Now"]))
    (['Now', 'Search'], 1)
    """

    _by_name: dict[str, AnyTool] = field(default_factory=dict)

    empty: ClassVar[Toolkit]
    """The toolkit without tools."""

    @staticmethod
    def make(*tools: AnyTool) -> Toolkit:
        """Make a toolkit; two tools of one name are an error that shows both.

        >>> Toolkit.make(Tool.make("Now"), Tool.make("Now", success=int))
        Traceback (most recent call last):
            ...
        tool_core.errors.ToolConfigurationError: Invalid configuration for tool 'Now': \
two tools have this name: Tool 'Now' (EmptyParams) -> None and Tool 'Now' (EmptyParams) -> int
        """
        return Toolkit(_by_unique_name(tools))

    @staticmethod
    def merge(*toolkits: Toolkit[object]) -> Toolkit:
        """Make a toolkit with the tools of several."""
        for kit in toolkits:
            if not isinstance(kit, Toolkit):
                raise ToolConfigurationError(None, f"merge takes toolkits, not {type(kit).__name__}")
        return Toolkit(_by_unique_name(tool for kit in toolkits for tool in kit))

    @property
    def tools(self) -> ToolMap[Tools_co]:
        """The tools by name, in the order of their definition; read-only."""
        return ToolMap(self._by_name)

    def filter(self, keep: Iterable[str] | Callable[[AnyTool], bool]) -> Toolkit:
        """Keep the named tools, or those that a predicate picks."""
        if callable(keep):
            return Toolkit(_by_unique_name(tool for tool in self if keep(tool)))
        if isinstance(keep, str) or not isinstance(keep, Iterable):
            raise ToolConfigurationError(None, f"filter takes names or a predicate, not {keep!r}")
        names = list(keep)
        for name in names:
            self._known(name)
        return Toolkit(_by_unique_name(tool for tool in self if tool.name in names))

    def prefix(self, text: str) -> Toolkit:
        """Put a prefix before every name, so that the tools of several servers can live together.

        >>> list(Toolkit.make(Tool.make("Now")).prefix("clock_").tools)
        ['clock_Now']
        """
        if not isinstance(text, str):
            raise ToolConfigurationError(None, f"a prefix is a text, not {type(text).__name__}")
        return Toolkit(_by_unique_name(_renamed(tool, text + tool.name) for tool in self))

    def rename(self, names: Mapping[str, str]) -> Toolkit:
        """Give tools other names; those not mentioned keep theirs.

        >>> list(Toolkit.make(Tool.make("Now")).rename({"Now": "Time"}).tools)
        ['Time']
        """
        if not isinstance(names, Mapping):
            raise ToolConfigurationError(None, f"rename takes a mapping of names, not {type(names).__name__}")
        for name in names:
            self._known(name)
        return Toolkit(_by_unique_name(_renamed(tool, names.get(tool.name, tool.name)) for tool in self))

    def search(self, query: str, limit: int = 10) -> Toolkit:
        """Find the tools whose names and descriptions fit a query best, best first.

        >>> kit = Toolkit.make(Tool.make("GetWeather"), Tool.make("SendMail", description="Send an e-mail"))
        >>> list(kit.search("mail").tools)
        ['SendMail']
        """
        if not isinstance(query, str):
            raise ToolConfigurationError(None, f"a query is a text, not {type(query).__name__}")
        words = {tool.name: _words(tool) for tool in self}
        rarity = _rarity(words.values())
        wanted = _split(query)
        scores = {
            name: sum(counts.get(word, 0) * rarity.get(word, 0) for word in wanted)
            for name, counts in words.items()
        }
        best = sorted((name for name in scores if scores[name] > 0), key=lambda name: -scores[name])
        return Toolkit({name: self._by_name[name] for name in best[:limit]})

    def bind(
        self,
        handlers: Mapping[str, object] | Implementation[AnyTool] = _NONE,
        /,
        *implementations: Implementation[AnyTool],
        **options: Unpack[BindOptions],
    ) -> BoundToolkit[Tools_co, Any]:
        """Give every tool its handler; whatever is wrong is reported together, before anything runs.

        Handlers map to `object` here, because mypy joins the functions of a dict in a variable to
        what is no callable; the plugin checks each against its tool, and so does this method.

        >>> bound = Toolkit.make(Tool.make("Now", success=float)).bind({"Now": lambda params: 12.5})
        >>> bound.call_sync("Now", {}).result
        12.5
        """
        from tool_core.binding import bind

        return bind(self, (handlers, *implementations), cast(Any, options))

    def _known(self, name: str) -> None:
        if not isinstance(name, str) or name not in self._by_name:
            hint = did_you_mean(str(name), self._by_name)
            raise ToolConfigurationError(str(name), f"the toolkit has no such tool{hint}")

    def __iter__(self) -> Iterator[AnyTool]:
        return iter(self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Toolkit) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Toolkit({', '.join(self._by_name)})"


Toolkit.empty = Toolkit({})


def _by_unique_name(tools: Iterable[AnyTool]) -> dict[str, AnyTool]:
    found: dict[str, AnyTool] = {}
    for tool in tools:
        if not isinstance(tool, Tool):
            raise ToolConfigurationError(None, f"a toolkit holds tools, not {tool!r}")
        if tool.name in found:
            both = f"{found[tool.name]!r} and {tool!r}"
            raise ToolConfigurationError(tool.name, f"two tools have this name: {both}")
        found[tool.name] = tool
    return found


def _renamed(tool: AnyTool, name: str) -> AnyTool:
    for_tool(tool.name, lambda: check_tool_name(name))
    own_id = f"tool_core/{tool.name}"
    return replace(tool, name=name, id=f"tool_core/{name}" if tool.id == own_id else tool.id)


def _words(tool: AnyTool) -> dict[str, float]:
    """Count the words of a tool; one in the name says more than one in the description."""
    counts: dict[str, float] = {}
    for text, weight in ((tool.name, 3.0), (tool.description or "", 1.0)):
        for word in _split(text):
            counts[word] = max(counts.get(word, 0.0), weight)
    return counts


def _rarity(documents: Iterable[Mapping[str, float]]) -> dict[str, float]:
    listed = list(documents)
    words = {word for counts in listed for word in counts}
    occurrences = {word: sum(word in counts for counts in listed) for word in words}
    return {word: math.log(1 + len(listed) / count) for word, count in occurrences.items()}


def _split(text: str) -> list[str]:
    words = (word.lower() for word in _WORD.findall(text))
    return [_ENDING.sub("", word) if len(word) > 4 else word for word in words if word not in _FILLERS]
