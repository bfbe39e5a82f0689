"""What the package imports is what installing it brings."""

import ast
import sys
import tomllib
from pathlib import Path

import pytest

import anyhip

ROOT = Path(__file__).parents[1]
SOURCES = Path(anyhip.__file__).parent
# Development tools beside the device library, run by hand.
BY_HAND = {SOURCES / "devicelib" / name for name in ("fit.py", "fit_float.py")}
DISTRIBUTIONS = {"elftools": "pyelftools"}  # where the name of the module is another


def imported(path: Path) -> set[str]:
    """Top-level names of the modules from elsewhere that a file imports, at whatever depth."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
    return {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"anyhip"}


def test_every_import_is_a_dependency() -> None:
    project = ROOT / "pyproject.toml"
    if not project.exists():
        pytest.skip("not run from a source tree")
    wanted = tomllib.loads(project.read_text())["project"]["dependencies"]
    declared = {line.partition(">")[0].partition("~")[0].strip() for line in wanted}
    found = {
        DISTRIBUTIONS.get(name, name)
        for path in SOURCES.rglob("*.py")
        if path not in BY_HAND
        for name in imported(path)
    }
    assert "llvmlite" in found
    assert found - declared - {"_cffi_backend"} == set()  # a part of cffi
