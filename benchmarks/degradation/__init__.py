"""What the page says where something lacks, and what is ruled. `python -m benchmarks.degradation` runs it."""
