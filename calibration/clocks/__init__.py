"""Measure how late and how regular a camera, a second camera or a loudspeaker is.

In: time stamps, flashes, ripples of lamps. Out: intervals, read-out times and offsets in nanoseconds.
Open `timing` first.
"""
