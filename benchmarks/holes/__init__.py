"""Films with holes: what is ruled when stretches are missing. `python -m benchmarks.holes` runs it."""
