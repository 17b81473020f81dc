"""A card table's plane and its zones.

In: a picture with four printed markers. Out: each pixel's place on the table in millimetres, and its zone.
Open `table_plane`.
"""
