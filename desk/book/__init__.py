"""The club's book: what players did in all karuta matches of a folder.

In: the match logs. Out: an index in one SQLite file, and figures per player and per pairing as plain data.
Open `book` first, then `digest` (what the book keeps of one log) and `figures`.
"""
