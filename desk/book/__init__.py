"""The club's book: statistics of players over all karuta matches of a folder.

In: the match logs. Out: an index in one SQLite file, and figures per player and per pairing as plain data.
Open `book` first, then `digest` (the extract of one log) and `figures`.
"""
