"""The page of a bout of the Kendo cards.

In: the desk of a bout. Out: its state as JSON data, the page, its stream, and people's commands.
Open `state` first, then `view` (the same in one language) and `routes`.
"""
