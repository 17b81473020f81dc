"""Card tables from above: any deck, any zones, any timed moves; pixels and exact truth out."""
