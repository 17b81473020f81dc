"""Damaged inputs and requests: `python -m benchmarks.hostile` tries them on every command and page."""
