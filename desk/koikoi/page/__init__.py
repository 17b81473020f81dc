"""The page of a game of Koi-Koi.

In: the desk of a game. Out: its state as JSON data, the page, its stream, a table of totals, and commands.
Open `state` first, then `view` (the same in one language) and `routes`.
"""
