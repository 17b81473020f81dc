"""Card tables from above: any deck, any zones, any timed moves.

In: a script of timed moves. Out: pixels and exact truth. Open `stage` and `script` first, then `film`; the
games are in `koikoi` and `kendo`.
"""
