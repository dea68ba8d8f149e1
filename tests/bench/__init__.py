"""Benchmarks on the sandbox; see `__main__`."""
