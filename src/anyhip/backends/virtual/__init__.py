"""The GPU on the CPU: AMD machine code, translated to host vector code and run on the host's cores."""
