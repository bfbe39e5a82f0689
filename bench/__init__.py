"""Benchmarks: AnyHIP's virtual GPU beside what else runs such programs on a CPU. See docs/performance.md."""
