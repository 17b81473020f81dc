"""One picture and the instant it shows.

In: raw pixels. Out: a `Frame` (gray or colour, with its time), smaller copies of it, and the exposure of its
rows. Open `frame` first; `shutter` tells how much later the last row is exposed than the first.
"""
