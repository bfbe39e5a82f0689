"""The fake device, for calls that are tested without C."""

from runtime.conftest import backend, device, fake

__all__ = ["backend", "device", "fake"]
