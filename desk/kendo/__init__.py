"""A bout of the Kendo cards at a table, filmed or live.

In: looks at the court and declarations of players. Out: events with flags, minutes, and data for the page.
Open `card_game` first, then `scribe` and `desk`.
"""
