import errno
import os
import subprocess
import sys

import pytest

from anyhip.errors import UsageError, outcome

COMMANDS = {
    "anyhip": ["-m", "anyhip", "cache"],
    "anyhip-help": ["-m", "anyhip", "--help"],
    "hipcc": ["-m", "anyhip.tools.hipcc", "--help"],
    "hipconfig": ["-m", "anyhip.tools.hipconfig", "--version"],
}


def raising(error: BaseException):
    def body() -> int:
        raise error

    return body


def started(words, stdout) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"PYTHONPATH": ":".join(sys.path)}
    command = [sys.executable, *words]
    return subprocess.run(
        command, stdout=stdout, stderr=subprocess.PIPE, text=True, env=env, check=False
    )  # fmt: skip


def test_the_exit_code_is_the_bodys():
    assert outcome("tool", lambda: 7) == 7


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (UsageError("no such thing", "try another"), 2, "tool: error: no such thing\n  hint: try another\n"),
        (PermissionError(errno.EACCES, "Not allowed", "a.cu"), 1, "tool: error: a.cu: Not allowed\n"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_errors_become_sentences(error, code, said, capsys, monkeypatch):
    monkeypatch.setattr("anyhip.errors._drop_output", lambda: None)
    assert outcome("tool", raising(error)) == code
    assert capsys.readouterr().err == said


def test_mistakes_of_ours_stay_tracebacks():
    with pytest.raises(KeyError):
        outcome("tool", raising(KeyError("x")))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no /dev/full")
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_full_disk_below_the_output_is_an_error(command):
    with open("/dev/full", "w") as full:
        done = started(command, full)
    assert done.returncode == 1
    assert done.stderr.endswith("error: No space left on device\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_an_output_that_nobody_reads_ends_a_command_quietly(command):
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as pipe:
        done = started(command, pipe)
    assert done.returncode in (1, 141)  # typer ends with 1
    assert done.stderr == ""
