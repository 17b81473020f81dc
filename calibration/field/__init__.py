"""Measure the field's plane as the camera sees it, and the lens; print sheets for both.

In: outlines of cards or of printed marks. Out: a map between pixels and millimetres with its uncertainty.
Open `geometry` first, then `lines`.
"""
