"""Readings: what the listener learns from.

In: voices. Out: bands with a phoneme for each frame. Open `lessons` first.
"""
