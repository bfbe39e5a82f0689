"""The backend contract, call by call, on a driver that records and runs nothing."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from anyhip.backends.nvidia import ptx, queues, waiting
from anyhip.backends.nvidia.device import NvidiaDevice
from anyhip.backends.nvidia.module import NvidiaModule
from anyhip.codeobj.bundle import Entry
from anyhip.errors import DeviceFault, HipError
from anyhip.target import Target
from backends.nvidia.fake import ATTRIBUTES, FFI, FakeLibrary, device

SM_90 = Target.parse("sm_90")
PTX = b".version 8.0\n.target sm_90\n.entry kernel(.param .u64 p) { ret; }\n.entry other() { ret; }\n"
ONE = (1, 1, 1)


def entry(arch: str) -> Entry:
    target = Target.parse(arch)
    return Entry(f"hip-{target.triple}--{arch}", "hip", target, PTX)


def loaded(answers: tuple[tuple[str, int], ...] = ()) -> tuple[NvidiaDevice, FakeLibrary, NvidiaModule]:
    one, library = device(answers)
    return one, library, one.load(ptx.read(PTX, SM_90))


def code_of(work: Callable[[], Any]) -> str:
    with pytest.raises((HipError, DeviceFault)) as caught:
        work()
    return str(caught.value.code_name)


# ---- what the device is


def test_properties_come_from_the_drivers_attributes() -> None:
    one, _ = device()
    found = one.properties
    assert (one.target.id, found["gcnArchName"], found["name"]) == ("sm_90", "sm_90", "NVIDIA Fake")
    assert (found["warpSize"], found["maxGridSize"]) == (32, (2**31 - 1, 65535, 65535))
    assert (found["sharedMemPerBlock"], found["sharedMemPerBlockOptin"]) == (49152, 232448)
    assert found["l2CacheSize"] == 0  # this driver does not know it
    assert (found["totalGlobalMem"], found["uuid"]) == (141 << 30, "0001020304050607")


def test_a_device_newer_than_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(ATTRIBUTES, 75, 13)
    one, _ = device()
    assert (one.target.arch, one.target.major, one.target.wave_size) == ("sm_130", 13, 32)
    assert Target.parse("sm_121").matches(one.target)


@pytest.mark.parametrize(
    ("held", "chosen"),
    [
        (["sm_70", "sm_80", "gfx942"], "sm_80"),
        (["sm_90", "sm_70", "sm_100"], "sm_90"),
        (["sm_90", "sm_90a"], "sm_90a"),
        (["sm_100a", "sm_89"], "sm_89"),
    ],
)
def test_the_highest_ptx_that_fits_is_chosen(held: list[str], chosen: str) -> None:
    one, _ = device()
    assert one.select([entry(arch) for arch in held]).target.arch == chosen


def test_a_file_without_ptx_says_what_it_has_and_what_to_add() -> None:
    one, _ = device()
    with pytest.raises(HipError, match="no code for sm_90; the file holds code for gfx942, sm_100") as caught:
        one.select([entry("gfx942"), entry("sm_100")])
    assert caught.value.hint == "compile with --offload-arch=sm_90"


# ---- memory


@pytest.mark.parametrize(
    ("kind", "made", "freed"),
    [
        ("device", "cuMemAlloc_v2", "cuMemFree_v2"),
        ("host", "cuMemHostAlloc", "cuMemFreeHost"),
        ("managed", "cuMemAllocManaged", "cuMemFree_v2"),
    ],
)
def test_each_kind_of_memory_is_made_and_freed_its_own_way(kind: str, made: str, freed: str) -> None:
    one, library = device()
    address = one.allocate(100, kind)
    assert [call[0] for call in library.named(made)] == [100]
    one.free(address)
    assert library.named(freed) == [(address,)]
    assert library.memory == {}
    assert code_of(lambda: one.free(address)) == "hipErrorInvalidValue"


def test_memory_that_is_not_there_says_what_is() -> None:
    one, _ = device()
    with pytest.raises(HipError, match=r"104857601 bytes of device memory: 104857600 of 151\d+ are"):
        one.allocate((100 << 20) + 1)


def test_memory_freed_in_a_host_function_is_freed_by_the_next_call() -> None:
    one, library = device()
    address = one.allocate(64)
    one.host_call(0, lambda: one.free(address))
    library.run_host_functions()
    assert library.named("cuMemFree_v2") == []
    one.wait_stream(0)
    assert library.named("cuMemFree_v2") == [(address,)]


def test_registered_memory() -> None:
    one, library = device()
    one.register_host(0x5000, 64)
    one.unregister_host(0x5000)
    assert library.named("cuMemHostRegister_v2") == [(0x5000, 64, 3)]
    assert library.named("cuMemHostUnregister") == [(0x5000,)]


def test_copies_and_fills_of_boxes() -> None:
    one, library = device()
    source = bytes(range(240))
    dst, src = one.allocate(480), FFI.from_buffer(source)
    start = int(FFI.cast("uintptr_t", src))
    one.fill(0, dst, 0x1EE, 1, 480)
    one.copy_rect(0, (dst, 20, 100), (start, 10, 50), (10, 5, 3))
    one.copy_rect(0, (dst + 300, 20, 110), (start, 10, 50), (10, 2, 1))
    held = bytes(FFI.buffer(FFI.cast("char *", dst), 480))
    assert held[:20] == source[:10] + b"\xee" * 10
    assert held[200:210] == source[100:110]
    assert held[320:330] == source[10:20]
    assert len(library.named("cuMemcpy3DAsync_v2")) == 2
    one.copy_rect(0, (dst, 20, 90), (start, 10, 50), (10, 5, 3))  # 90 is no multiple of 20
    assert len(library.named("cuMemcpy3DAsync_v2")) == 5
    one.fill_rect(7, (dst, 20, 100), 0xABCD, 2, (6, 2, 3))
    assert library.named("cuMemsetD2D16Async") == [(dst + 100 * z, 20, 0xABCD, 3, 2, 7) for z in range(3)]
    one.fill_rect(7, (dst, 8, 16), 0x12345678, 4, (8, 2, 3))  # nothing between rows and slices
    assert library.named("cuMemsetD32Async") == [(dst, 0x12345678, 12, 7)]


# ---- streams and events


def test_streams_are_made_as_asked() -> None:
    one, library = device()
    streams = [
        one.create_stream(),
        one.create_stream(blocking=False, priority=-1),
        one.create_stream(priority=1),
    ]
    assert library.named("cuStreamCreateWithPriority") == [(0, 0), (1, -5), (0, 0)]
    one.destroy_stream(streams[1])
    assert library.named("cuStreamDestroy_v2") == [(streams[1],)]


@pytest.mark.parametrize("interruptible", [True, False])
def test_waiting_blocks_or_polls(interruptible: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queues, "interruptible", lambda: interruptible)
    one, library = device()
    stream, event = one.create_stream(), one.create_event()
    for wait, query, block in (
        (lambda: one.wait_stream(stream), "cuStreamQuery", "cuStreamSynchronize"),
        (lambda: one.wait_event(event), "cuEventQuery", "cuEventSynchronize"),
        (one.wait_all, "cuStreamQuery", "cuCtxSynchronize"),
    ):
        library.calls.clear()
        library.busy = 3
        wait()
        streams = 2 if wait == one.wait_all else 1
        assert len(library.named(query)) == (3 + streams if interruptible else 0)
        assert len(library.named(block)) == (not interruptible or wait == one.wait_all)


def test_only_a_program_in_python_can_be_interrupted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert waiting.interruptible()
    monkeypatch.setattr(waiting.sys, "orig_argv", [])
    assert not waiting.interruptible()


def test_ctrl_c_ends_a_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    one, library = device()

    def interrupt(handle: int) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(library, "cuStreamQuery", interrupt, raising=False)
    with pytest.raises(KeyboardInterrupt):
        one.wait_stream(0)


def test_events() -> None:
    one, library = device()
    start, stop = one.create_event(), one.create_event()
    one.record_event(start, 5)
    one.stream_wait_event(6, start)
    library.busy = 1
    assert [one.event_done(start), one.event_done(start)] == [False, True]
    assert one.elapsed_ms(start, stop) == 2.5
    ((mark, stream),) = library.named("cuEventRecord")
    assert stream == 5
    assert library.named("cuStreamWaitEvent") == [(6, mark, 0)]
    library.answer("cuEventElapsedTime", 600)
    assert code_of(lambda: one.elapsed_ms(start, stop)) == "hipErrorNotReady"
    one.destroy_event(start)
    assert library.named("cuEventDestroy_v2") == [(mark,)]


def test_a_host_function_that_cannot_be_enqueued_is_forgotten() -> None:
    one, library = device([("cuLaunchHostFunc", 1)])
    assert code_of(lambda: one.host_call(0, lambda: None)) == "hipErrorInvalidValue"
    one.host_call_c(3, 0x10, 0x20)
    assert library.named("cuLaunchHostFunc")[-1] == (3, 0x10, 0x20)
    assert one._calls._pending == {}


# ---- code


def test_a_module_has_kernels_symbols_and_attributes() -> None:
    one, library, module = loaded()
    assert library.named("cuModuleLoadDataEx") == [(PTX + b"\0", 2)]
    kernel = module.kernel("kernel")
    assert module.kernel("kernel") == kernel != module.kernel("other")
    assert module.symbol("counter") == (0x7000, 4)
    for find in (module.symbol, module.kernel):
        with pytest.raises(KeyError):
            find("nothing")
    found = module.attributes(kernel)
    assert (found["maxThreadsPerBlock"], found["numRegs"], found["sharedSizeBytes"]) == (512, 40, 1024)
    assert one.resident_blocks(kernel, 256, 0) == 8
    module.unload()
    assert len(library.named("cuModuleUnload")) == 1


def test_the_drivers_log_is_in_the_error() -> None:
    one, library = device()
    library.log = b"ptxas application ptx input, line 7; fatal : Parsing error near '.u33'"
    with pytest.raises(HipError, match="line 7; fatal : Parsing error") as caught:
        one.load(ptx.read(PTX, SM_90))
    assert caught.value.code_name == "hipErrorInvalidKernelFile"


def test_ptx_newer_than_the_driver_says_what_to_do() -> None:
    one, _ = device([("cuModuleLoadDataEx", 222)])
    with pytest.raises(HipError, match="CUDA_ERROR_UNSUPPORTED_PTX_VERSION") as caught:
        one.load(ptx.read(PTX, SM_90))
    assert "update the NVIDIA driver" in caught.value.hint


def test_a_launch_is_one_call() -> None:
    one, library, module = loaded()
    kernel = module.kernel("kernel")
    library.calls.clear()
    one.launch(9, kernel, (2, 3, 4), (5, 6, 7), 8, 0x1234)
    assert library.calls == [("cuLaunchKernel", kernel, 2, 3, 4, 5, 6, 7, 8, 9, 0x1234, 0)]
    one.launch(9, kernel, (2, 3, 4), (5, 6, 7), 8, 0x1234, True)
    assert library.calls[-1] == (
        "cuLaunchCooperativeKernel", kernel, 2, 3, 4, 5, 6, 7, 8, 9, 0x1234,
    )  # fmt: skip


def test_packed_arguments_go_as_a_buffer_and_its_size() -> None:
    one, _, module = loaded()
    kernel = module.kernel("kernel")
    seen: list[tuple[int, bytes, int]] = []

    def launch(*args: int) -> int:
        extra = ctypes.cast(args[10], ctypes.POINTER(ctypes.c_uint64))
        size = ctypes.c_uint64.from_address(extra[3]).value
        seen.append((args[9], ctypes.string_at(extra[1], size), extra[4]))
        assert (extra[0], extra[2]) == (1, 2)
        return 0

    one._launch = launch
    one.launch_packed(0, kernel, ONE, ONE, 0, b"argument")
    assert seen == [(0, b"argument", 0)]


def test_a_launch_in_the_wrong_context_is_tried_in_the_right_one() -> None:
    one, library, module = loaded()
    kernel = module.kernel("kernel")
    library.current = 0
    library.answer("cuLaunchKernel", 201)
    one.launch(0, kernel, ONE, ONE, 0, 0)
    assert library.current == one.context
    assert len(library.named("cuLaunchKernel")) == 2


def test_shared_memory_past_the_usual_is_asked_for() -> None:
    one, library, module = loaded()
    kernel = module.kernel("kernel")
    library.answer("cuLaunchKernel", 1, 1)
    one.launch(0, kernel, ONE, ONE, 100_000, 0)
    assert library.named("cuFuncSetAttribute") == [(kernel, 8, 100_000)]
    assert len(library.named("cuLaunchKernel")) == 3
    library.answer("cuLaunchKernel", 1, 1, 1)
    assert code_of(lambda: one.launch(0, kernel, ONE, ONE, 100_000, 0)) == "hipErrorInvalidConfiguration"


def test_a_launch_that_fits_nowhere() -> None:
    one, library, module = loaded()
    library.answer("cuLaunchCooperativeKernel", 720)
    kernel = module.kernel("kernel")
    work = lambda: one.launch(0, kernel, ONE, ONE, 0, 0, True)  # noqa: E731
    assert code_of(work) == "hipErrorCooperativeLaunchTooLarge"


# ---- faults


def test_after_a_fault_only_a_new_process_helps() -> None:
    one, library = device()
    one.clear_faults()  # nothing to clear
    address, stream, event = one.allocate(64), one.create_stream(), one.create_event()
    library.answer("cuCtxSynchronize", 700)
    assert code_of(one.wait_all) == "hipErrorIllegalAddress"
    for function in ("cuMemFree_v2", "cuStreamDestroy_v2", "cuEventDestroy_v2"):
        library.answer(function, 700)
    one.free(address)  # none of these reports the fault again
    one.destroy_stream(stream)
    one.destroy_event(event)
    with pytest.raises(DeviceFault, match="does not recover in this process") as caught:
        one.clear_faults()
    assert caught.value.code_name == "hipErrorIllegalAddress"
    assert caught.value.hint == "end the program and start it again"


@pytest.mark.parametrize(
    ("function", "work"),
    [
        ("cuStreamSynchronize", lambda one: one.wait_stream(0)),
        ("cuStreamQuery", lambda one: one.stream_done(0)),
        ("cuMemcpyAsync", lambda one: one.copy(0, 1, 2, 3)),
        ("cuMemsetD8Async", lambda one: one.fill(0, 1, 0, 1, 3)),
        ("cuMemAlloc_v2", lambda one: one.allocate(3)),
        ("cuModuleLoadDataEx", lambda one: one.load(ptx.read(PTX, SM_90))),
        ("cuCtxSetCurrent", lambda one: one.enter()),
    ],
)
def test_every_call_reports_a_fault(
    function: str, work: Callable[[NvidiaDevice], Any], monkeypatch: Any
) -> None:
    monkeypatch.setattr(queues, "interruptible", lambda: False)
    one, _ = device([(function, 719)])
    with pytest.raises(DeviceFault, match="failed while it ran"):
        work(one)


def test_no_table_row_is_without_a_property() -> None:
    text = Path(queues.__file__).with_name("properties.tsv").read_text()
    rows = [line.split("\t") for line in text.splitlines() if line and line[0] != "#"][1:]
    assert len(rows) == len({row[0] for row in rows}) == 81
    assert all(number.isdecimal() for row in rows for number in row[1].split())
