import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from anyhip import cli
from anyhip.errors import CacheError

ROOT = Path(__file__).resolve().parents[1]


def test_cache_verbs(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ANYHIP_CACHE_DIR", str(tmp_path / "cache"))
    assert cli.main(["cache", "--path"]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'cache'}\n"
    assert cli.main(["cache"]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'cache'}: 0.0 MB\n"
    assert cli.main(["cache", "--clear"]) == 0
    assert capsys.readouterr().out.startswith("freed 0.0 MB")


def test_an_error_is_one_line_and_a_hint(tmp_path, monkeypatch, capsys):
    (tmp_path / "precious").write_text("x")
    monkeypatch.setenv("ANYHIP_CACHE_DIR", str(tmp_path))
    assert cli.main(["cache", "--clear"]) == CacheError.exit_code
    said = capsys.readouterr().err
    assert said.startswith("anyhip: error: ")
    assert "hint: " in said


def test_help_and_unknown_verbs(capsys):
    assert cli.main(["--help"]) == 0
    out = capsys.readouterr().out
    for verb in ("run", "info", "cache", "rocm-root"):
        assert verb in out
    assert cli.main(["fly"]) == 2


def test_info_for_programs(capsys):
    assert cli.main(["info", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["hip"].startswith("7.2.")
    assert facts["clang"].startswith("22.")
    first = facts["devices"][0]
    assert (first["kind"], first["target"].split(":")[0]) == ("virtual", "gfx942")


def test_a_closed_pipe_is_no_traceback():
    env = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    command = f"{sys.executable} -m anyhip --help | true"
    done = subprocess.run(["/bin/sh", "-c", command], env=env, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("verb", ["run", "cache", "info"])
def test_every_verb_explains_itself(verb, capsys):
    assert cli.main([verb, "--help"]) == 0
    assert len(capsys.readouterr().out) > 80
