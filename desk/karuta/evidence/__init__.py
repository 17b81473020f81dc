"""A ruling for people: its replay, JSON, and one line of text.

In: a ruling and the frames around it. Out: a bundle of pictures, or text.
Open `replay` first; films are made of bundles in `desk.tables.evidence`.
"""
