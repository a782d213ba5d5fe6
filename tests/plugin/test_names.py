"""The plugin knows the core by names only, so each name must be one."""

from __future__ import annotations

import operator
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import mypy_plugin
from mypy_plugin import hooks, names

FULLNAMES = sorted(
    {value for key, value in vars(names).items() if key.isupper() and isinstance(value, str)}
    - {names.PROVIDERS, names.STRICT}
    | {*hooks._METHODS, *hooks._SIGNATURES, *hooks._CLASS_ATTRIBUTES}
)


@pytest.mark.parametrize("fullname", FULLNAMES)
def test_every_name_is_where_the_object_is_defined(fullname: str) -> None:
    parts = fullname.split(".")
    inside = operator.attrgetter(".".join(parts[2:]))(import_module(".".join(parts[:2])))
    owner = operator.attrgetter(parts[2])(import_module(".".join(parts[:2])))
    assert callable(inside) or inside is not None
    assert owner.__module__ == ".".join(parts[:2])


def test_importing_the_package_loads_no_mypy() -> None:
    code = "import sys, mypy_plugin; print('mypy' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert shown.stdout.strip() == "False"


def test_the_entry_module_carries_a_version_that_covers_every_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tool_core import mypy as entry

    before = mypy_plugin.fingerprint()
    assert entry.__version__ == before
    for path in Path(mypy_plugin.__file__).parent.glob("*.py"):
        (tmp_path / path.name).write_text(path.read_text())
    monkeypatch.setattr(mypy_plugin, "__file__", str(tmp_path / "__init__.py"))
    assert mypy_plugin.fingerprint() == before
    (tmp_path / "toolkits.py").write_text("# changed")
    assert mypy_plugin.fingerprint() != before
