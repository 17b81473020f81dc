"""The plane of the field as the camera sees it, the lens, and printed sheets that tell both.

In: outlines of cards or of printed marks. Out: a map between pixels and millimetres with its uncertainty.
Open `geometry` first, then `lines`.
"""
