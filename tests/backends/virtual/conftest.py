"""The virtual device that tests of the engine and of the loader share."""

from __future__ import annotations

import pytest

from anyhip.backends.virtual.device import VirtualBackend


@pytest.fixture
def device():
    made = VirtualBackend("gfx942").device(0)
    yield made
    made.settle()
    made.clear_faults()
