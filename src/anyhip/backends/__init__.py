"""How a code object runs: one package a kind of device, all behind :mod:`anyhip.backends.backend`."""
