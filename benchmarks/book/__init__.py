"""The club's book: `python -m benchmarks.book` times it and checks its figures."""
