"""Sound as arrays: clips, loudness, stretching, trimming, and the chime of last resort.

In: waves of float32 in -1..1. Out: waves again. Open `clip` first.
"""
