"""The house rules that a program can check: where things are, how long they may be, what is public."""

import ast
import importlib
import os
import pkgutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import anyhip

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "anyhip"
SOURCES = sorted(PACKAGE.rglob("*.py"))
MOST_LINES = 400

# What a program whose kernels are cached must not wait for.
SLOW_IMPORTS = {"numpy", "llvmlite", "rich", "typer", "elftools", "platformdirs", "scipy"}


def ids(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", SOURCES, ids=ids)
def test_a_file_fits_in_one_reading(path):
    assert len(path.read_text().splitlines()) <= MOST_LINES


@pytest.mark.parametrize("path", SOURCES, ids=ids)
def test_slow_packages_are_imported_where_they_are_used(path):
    tree = ast.parse(path.read_text())
    imported = set()
    for node in tree.body:  # module level only
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            imported.add((node.module or "").split(".")[0])
    allowed = {"llvmlite", "numpy"} if "backends/virtual" in path.as_posix() else set()
    assert imported & SLOW_IMPORTS <= allowed


# Functions there are found through a table (of opcodes, of the C API's names); programs that are run by hand.
NO_NAMES = {"semantics", "calls", "devicelib"}


@pytest.mark.parametrize("path", [path for path in SOURCES if path.parent.name not in NO_NAMES], ids=ids)
def test_public_names_are_declared_and_exist(path):
    tree = ast.parse(path.read_text())
    assigned = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    if "__all__" not in assigned or not isinstance(assigned["__all__"], ast.List):
        assert path.name in ("__init__.py", "__main__.py") or not _public(tree), "no __all__"
        return
    declared = ast.literal_eval(assigned["__all__"])
    assert len(declared) == len(set(declared))
    if "__getattr__" not in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}:
        assert set(declared) <= _defined(tree)


def _public(tree: ast.Module) -> set[str]:
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name for node in tree.body if isinstance(node, kinds) and not node.name.startswith("_")}


def _defined(tree: ast.Module) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    return names


def test_every_module_can_be_imported():
    found = [info.name for info in pkgutil.walk_packages([str(PACKAGE)], "anyhip.")]
    assert "anyhip.hipcc.driver" in found
    for name in found:
        if not name.endswith("__main__"):
            importlib.import_module(name)


def test_importing_the_package_imports_nothing_slow():
    code = f"import sys, anyhip; print(sorted({sorted(SLOW_IMPORTS)} & sys.modules.keys()))"
    code = code.replace("['", "{'").replace("']", "'}")
    env = os.environ | {"PYTHONPATH": str(PACKAGE.parent)}
    printed = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    )
    assert printed.stdout == "[]\n"


def test_declared_commands_exist():
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert set(scripts) >= {"anyhip", "hipcc", "hipconfig", "hipify-perl", "hipify-clang"}
    for place in scripts.values():
        module, _, function = place.partition(":")
        assert callable(getattr(importlib.import_module(module), function)), place


def test_nothing_here_is_bound_to_one_machine():
    for path in [*SOURCES, *(ROOT / "tests").rglob("*.py"), *ROOT.glob("*.md"), ROOT / "Makefile"]:
        text = path.read_text()
        for word in ("/ro" + "ot/", "/ho" + "me/", "/wo" + "rk/"):
            assert word not in text, f"{path} names {word}"


def test_every_variable_that_is_read_has_a_row():
    from anyhip import config

    reader = {"get", "get_flag", "get_int", "get_list", "get_path", "is_set"}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            called = node.func
            if isinstance(called.value, ast.Name) and called.value.id == "config" and called.attr in reader:
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    assert first.value in config.VARIABLES, f"{path.name}: {first.value}"


def test_every_row_is_read_somewhere():
    from anyhip import config

    text = "".join(path.read_text() for path in SOURCES if path.name != "config.py")
    assert [name for name in config.VARIABLES if f'"{name}"' not in text] == []


def test_one_version_of_hip_everywhere():
    from anyhip.hipcc.driver import HIP_VERSION

    header = (PACKAGE / "include" / "hip" / "hip_version.h").read_text()
    words = [line.split() for line in header.splitlines() if line.startswith("#define HIP_VERSION_")]
    values = {name: value for _, name, value, *_ in (word for word in words if len(word) >= 3)}
    parts = [values[f"HIP_VERSION_{part}"] for part in ("MAJOR", "MINOR", "PATCH")]
    assert ".".join(parts) == HIP_VERSION
    assert anyhip.__file__ is not None
