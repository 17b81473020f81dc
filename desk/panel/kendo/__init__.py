"""The page of a bout of the Kendo cards.

In: the bout as plain data. Out: the page, its stream, and commands of players and officials.
Open `routes` first, then `view`.
"""
