"""Services that handlers need: typed keys and an immutable map from keys to values. Layer 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Never, TypeAlias, cast, overload

from typing_extensions import TypeForm, TypeVar

from tool_core.contracts import violation
from tool_core.errors import ToolConfigurationError
from tool_core.type_forms import display

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True, default=object)
R_contra = TypeVar("R_contra", contravariant=True, default=Never)


@dataclass(frozen=True, slots=True)
class Key(Generic[T_co]):
    """A named service, for when a class alone does not tell which one is meant.

    >>> CLOCK = Key("clock", float)
    >>> Context().add(CLOCK, 12.5).get(CLOCK)
    12.5
    """

    name: str
    form: TypeForm[T_co]

    def __repr__(self) -> str:
        return f"Key({self.name!r}, {display(self.form)})"


ServiceKey: TypeAlias = "type[Any] | Key[Any]"


@dataclass(frozen=True, slots=True, eq=False)
class Context(Generic[R_contra]):
    """An immutable map of services; its type says which ones it holds.

    Gotchas:
        The values are checked against the key's type as beartype does: the outside, not every item.

    >>> class Database: ...
    >>> context = Context().add(Database, Database())
    >>> isinstance(context.get(Database), Database)
    True
    >>> Context().add(Database, 3)
    Traceback (most recent call last):
        ...
    tool_core.errors.ToolConfigurationError: Invalid configuration: \
service Database: expected Database, got int
    """

    _services: Mapping[Any, object] = field(default_factory=dict, repr=False)

    @overload
    def add(self, key: TypeForm[T], value: T) -> Context[R_contra | T]: ...
    @overload
    def add(self, key: Key[T], value: T) -> Context[R_contra | T]: ...
    def add(self, key: Any, value: Any) -> Context[Any]:
        """Return a context with one more service."""
        check_key(key)
        if problem := violation(value, key.form if isinstance(key, Key) else key):
            raise ToolConfigurationError(None, f"service {key_name(key)}: {problem}")
        return Context({**self._services, key: value})

    @overload
    def get(self, key: TypeForm[T]) -> T: ...
    @overload
    def get(self, key: Key[T]) -> T: ...
    def get(self, key: Any) -> Any:
        """Return a service, or say that it is missing."""
        try:
            return self._services[key]
        except (KeyError, TypeError):
            raise ToolConfigurationError(None, missing_service(key)) from None

    def merge(self, other: Context[T]) -> Context[R_contra | T]:
        """Return a context with the services of both; those of `other` win."""
        if not isinstance(other, Context):
            raise ToolConfigurationError(None, f"a context merges with a Context, not {type(other).__name__}")
        return cast("Context[R_contra | T]", Context({**self._services, **other._services}))

    def missing(self, keys: Iterable[ServiceKey]) -> list[ServiceKey]:
        """List the keys that have no service here.

        >>> Context().missing([int])
        [<class 'int'>]
        """
        return [key for key in keys if key not in self._services]

    def __contains__(self, key: object) -> bool:
        return key in self._services

    def __iter__(self) -> Iterator[ServiceKey]:
        return iter(self._services)

    def __repr__(self) -> str:
        return f"Context({', '.join(key_name(key) for key in self._services)})"  # never the values


def check_key(key: object) -> None:
    """Refuse what is neither a class nor a `Key`."""
    if not isinstance(key, type | Key):
        raise ToolConfigurationError(None, f"a service key is a class or a Key, not {key!r}")


def key_name(key: object) -> str:
    """Name a service key for people.

    >>> key_name(int), key_name(Key("clock", float))
    ('int', 'clock')
    """
    return key.name if isinstance(key, Key) else display(key)


def missing_service(key: object) -> str:
    """Say which service is missing and how to provide it."""
    name = key.name if isinstance(key, Key) else display(key)
    return f"the service {name} is missing; add it with Context().add({name}, ...) when binding or calling"
