"""Headers, table, calls and exported symbols are four views of one API."""

import importlib
import inspect
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from anyhip import errors, tables
from anyhip.sdk import abi, header, root

HEADER = header.parse()
ROWS = {row["function"]: row for row in tables.load("hip_api")}
CALLS = sorted({row["implementation"] for row in ROWS.values()} - {"", "c"})


def exported(library: str) -> set[str]:
    with (root.ensure() / "lib" / library).open("rb") as file:
        symbols = ELFFile(file).get_section_by_name(".dynsym").iter_symbols()
        return {
            s.name for s in symbols if s["st_shndx"] != "SHN_UNDEF" and s["st_info"]["bind"] == "STB_GLOBAL"
        }


def test_the_table_has_what_the_headers_declare() -> None:
    assert len(ROWS) == 567
    assert set(ROWS) == set(HEADER)


def test_the_libraries_export_what_the_table_has() -> None:
    assert exported(abi.HIP) == {name for name in ROWS if not name.startswith("hiprtc")}
    assert exported(abi.RTC) == {name for name in ROWS if name.startswith("hiprtc")}


def test_functions_have_the_symbol_versions_that_programs_linked_against_rocm_ask_for() -> None:
    with (root.ensure() / "lib" / abi.HIP).open("rb") as file:
        elf = ELFFile(file)
        names = {}
        for version, auxiliaries in elf.get_section_by_name(".gnu.version_d").iter_versions():
            names[version["vd_ndx"]] = next(auxiliaries).name
        numbers = elf.get_section_by_name(".gnu.version")
        symbols = elf.get_section_by_name(".dynsym")
        found = {
            symbol.name: names.get(numbers.get_symbol(i)["ndx"])
            for i, symbol in enumerate(symbols.iter_symbols())
            if symbol["st_shndx"] != "SHN_UNDEF" and symbol["st_info"]["type"] == "STT_FUNC"
        }
    assert found["hipMalloc"] == "hip_4.2"
    assert found["hipGetDevicePropertiesR0600"] == "hip_6.0"
    stated = {row["function"]: f"hip_{row['version']}" for row in tables.load("hip_versions")}
    assert {name: version for name, version in found.items() if name in stated} == stated


@pytest.mark.parametrize("module", CALLS)
def test_calls_are_those_of_the_table(module: str) -> None:
    found = importlib.import_module(f"anyhip.sdk.calls.{module}")
    mine = {name for name in vars(found) if name.startswith("hip")}
    rows = {name.removesuffix("_spt") for name, row in ROWS.items() if row["implementation"] == module}
    assert mine == rows


@pytest.mark.parametrize("name", [n for n, row in ROWS.items() if row["implementation"] not in ("", "c")])
def test_calls_take_what_c_passes(name: str) -> None:
    """As many arguments as the C function has, dim3 counted as three; a twin without a stream adds one."""
    passed = sum(3 if p.kind == "dim3" else 1 for p in HEADER[name].parameters)
    streams = sum(p.text.split()[0] == "hipStream_t" for p in HEADER[name].parameters)
    if name.endswith("_spt") and not streams:
        passed += 1
    module = importlib.import_module(f"anyhip.sdk.calls.{ROWS[name]['implementation']}")
    function = inspect.unwrap(getattr(module, name.removesuffix("_spt")))
    inspect.signature(function).bind(*range(passed))


def test_groups_have_names() -> None:
    assert all(row["group"] for row in ROWS.values())


def test_error_numbers_match_the_header() -> None:
    text = (header.include_dir() / "hip" / "api" / "errors.h").read_text()
    for name, (number, sentence) in errors.codes().items():
        assert f"  {name} = {number},\n" in text
        assert sentence
    assert errors.number("hipErrorLaunchFailure") == 719
    assert errors.sentence("hipErrorOutOfMemory") == "out of memory"


def test_attribute_numbers_match_the_header() -> None:
    text = (header.include_dir() / "hip" / "api" / "device_attributes.h").read_text()
    rows = tables.load("device_attributes")
    assert len({row["number"] for row in rows}) == len(rows) == 114
    for row in rows:
        shown = (row["number"], hex(int(row["number"])))
        assert any(f"  hipDeviceAttribute{row['name']} = {number},\n" in text for number in shown), row


def test_the_folder_is_shaped_like_rocm() -> None:
    made = root.ensure()
    for name in ("libamdhip64.so", "libamdhip64.so.6", "libamdhip64.so.8", "libhiprtc.so"):
        assert (made / "lib" / name).resolve().name in (abi.HIP, abi.RTC)
    assert (made / "include" / "hip" / "hip_runtime_api.h").is_file()
    assert (made / ".info" / "version").read_text() == "7.2.0-anyhip\n"
    assert "HIP_VERSION_MAJOR=7\n" in (made / "share" / "hip" / "version").read_text()


def test_sonames() -> None:
    for library in (abi.HIP, abi.RTC):
        with (root.ensure() / "lib" / library).open("rb") as file:
            dynamic = ELFFile(file).get_section_by_name(".dynamic")
            assert [tag.soname for tag in dynamic.iter_tags("DT_SONAME")] == [library]
            needed = [tag.needed for tag in dynamic.iter_tags("DT_NEEDED")]
        assert not any("python" in name for name in needed)


def test_libpython_exists() -> None:
    assert Path(abi.libpython()).is_file()
