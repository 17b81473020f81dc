"""A card table's plane and its zones.

In: a picture with four printed markers. Out: where each pixel lies on the table in millimetres, and in which
zone. Open `table_plane`.
"""
