from pathlib import Path

import pytest

from anyhip import config
from anyhip.errors import UsageError

SOURCES = Path(config.__file__).parent


def test_every_row_has_a_kind_a_sentence_and_a_default_of_that_kind():
    readers = {
        "int": config.get_int,
        "flag": config.get_flag,
        "list": config.get_list,
        "path": config.get_path,
    }
    for row in config.VARIABLES.values():
        assert row.kind in ("text", "choice", "int", "flag", "path", "list"), row.name
        assert row.sentence.endswith("."), row.name
        assert bool(row.choices) == (row.kind == "choice"), row.name
        readers.get(row.kind, config.get)(row.name)


def test_unset_and_empty_variables_mean_the_default(monkeypatch):
    monkeypatch.delenv("ANYHIP_OFFLOAD_ARCH", raising=False)
    assert config.get_list("ANYHIP_OFFLOAD_ARCH") == ("gfx942",)
    assert not config.is_set("ANYHIP_OFFLOAD_ARCH")
    monkeypatch.setenv("ANYHIP_OFFLOAD_ARCH", "")
    assert config.get_list("ANYHIP_OFFLOAD_ARCH") == ("gfx942",)
    monkeypatch.setenv("ANYHIP_OFFLOAD_ARCH", " gfx90a , gfx1100,")
    assert config.get_list("ANYHIP_OFFLOAD_ARCH") == ("gfx90a", "gfx1100")
    assert config.is_set("ANYHIP_OFFLOAD_ARCH")


def test_values_are_read_as_their_kind(monkeypatch):
    monkeypatch.setenv("ANYHIP_THREADS", "0x10")
    assert config.get_int("ANYHIP_THREADS") == 16
    monkeypatch.setenv("ANYHIP_COMPILE_CACHE", "Off")
    assert config.get_flag("ANYHIP_COMPILE_CACHE") is False
    monkeypatch.setenv("HIP_CLANG_PATH", "~/llvm")
    assert config.get_path("HIP_CLANG_PATH") == Path.home() / "llvm"
    monkeypatch.delenv("HIP_CLANG_PATH")
    assert config.get_path("HIP_CLANG_PATH") is None


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("ANYHIP_THREADS", "many", config.get_int),
        ("ANYHIP_COMPILE_CACHE", "perhaps", config.get_flag),
        ("ANYHIP_CXX_STDLIB", "msvc", config.get),
    ],
)
def test_a_wrong_value_is_named_with_its_variable(monkeypatch, name, value, read):
    monkeypatch.setenv(name, value)
    with pytest.raises(UsageError, match=f"{name}={value}") as raised:
        read(name)
    assert raised.value.hint


def test_a_variable_without_a_row_cannot_be_read():
    with pytest.raises(KeyError):
        config.get("ANYHIP_NO_SUCH_THING")
