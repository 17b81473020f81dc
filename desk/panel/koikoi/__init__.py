"""The page of a game of Koi-Koi.

In: the game as plain data. Out: the page, its stream, a table of totals, and people's commands.
Open `routes` first, then `view`.
"""
