"""Cards on a single photo, of any slant and on any table.

In: a picture file. Out: named cards with their corners.
Open `torifuda_photo` or `hanafuda_photo`.
"""
