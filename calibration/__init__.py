"""Measure where things are and how late they are.

`field` measures plane, lens and scale; `clocks` measures cameras and loudspeakers in time; `decks` holds
decks of cards as data. `peak` finds peaks between samples, of time or of pictures. `failure` is an estimate
that could not be made, `finding` one check's result. Open `field.geometry` first.
"""
