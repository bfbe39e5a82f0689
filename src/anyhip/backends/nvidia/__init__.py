"""NVIDIA GPUs as a backend, over the CUDA driver's own library.

In: PTX out of fat binaries, and the runtime's calls.  Out: calls of ``libcuda.so.1``, which comes with the
driver; no CUDA toolkit and no Python package of NVIDIA's is needed.
"""
