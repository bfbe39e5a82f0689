"""The documentation says what is true: made pages are up to date, links lead somewhere, examples run."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)#:]*)(?:#([^)]*))?\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# `backends/virtual/jit.py`, `tables/targets.tsv`, `isa/`: what looks like a path of ours
PATH = re.compile(r"`((?:[a-z_.-]+/)+(?:[a-z_]+\.(?:py|c|hip|tsv|toml|md))?)`")
PLACES = ("", "src/anyhip", "src/anyhip/backends/virtual", "src/anyhip/include", "src/anyhip/hipify", "docs")


def ids(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def run(words: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    return subprocess.run(
        [sys.executable, *words], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )


def blocks(page: Path, language: str) -> list[str]:
    return [text for kind, text in FENCE.findall(page.read_text()) if kind == language]


def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_reference_is_what_the_tables_say():
    made = run(["docs/make_reference.py", "--print"], ROOT)
    assert made.returncode == 0, made.stderr
    said = (ROOT / "docs" / "reference.md").read_text()
    assert said == made.stdout, "run: python docs/make_reference.py"


def test_the_page_of_maths_is_what_was_measured():
    made = run(["docs/make_maths.py", "--print"], ROOT)
    assert made.returncode == 0, made.stderr
    assert (ROOT / "docs" / "maths.md").read_text() == made.stdout, "run: python docs/make_maths.py"


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_links_lead_somewhere(page):
    for target, anchor in LINK.findall(FENCE.sub("", page.read_text())):
        place = (page.parent / target).resolve() if target else page
        assert place.exists(), f"{target} does not exist"
        assert not anchor or anchor in anchors(place), f"{target}#{anchor} does not exist"


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_files_that_are_named_exist(page):
    text = FENCE.sub("", page.read_text())
    for name in PATH.findall(text):
        assert any((ROOT / place / name).exists() for place in PLACES), name


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_commands_that_are_shown_exist(page):
    scripts = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"])
    known = scripts | {"make", "pip", "python", "cd", "git", "export"}
    rules = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for text in blocks(page, "console"):
        for line in re.findall(r"^\$ (.*)$", text, re.MULTILINE):
            words = [word for word in line.split() if not re.match(r"[A-Z_]+=", word)]
            assert words[0] in known or words[0].startswith("./"), line
            assert words[0] != "make" or words[1] in rules, line


def test_hello_world_in_cpp_runs(tmp_path):
    (source,) = blocks(ROOT / "README.md", "cpp")
    (tmp_path / "hello.hip").write_text(source)
    done = run(["-m", "anyhip", "run", "hello.hip"], tmp_path)
    lines = [f"hello from thread {thread} of block {block}" for block in range(2) for thread in range(4)]
    assert (done.returncode, sorted(done.stdout.splitlines())) == (0, sorted(lines))


def test_hello_world_in_python_runs(tmp_path):
    (source,) = blocks(ROOT / "README.md", "python")
    done = run(["-c", source], tmp_path)
    assert (done.returncode, done.stdout) == (0, "[0. 2. 4. 6.]\n"), done.stderr
