"""Koi-Koi at a table, filmed or live.

In: looks at the table and declarations of players. Out: events with flags, minutes, and data for the page.
Open `card_game` first, then `game` (a game is read from its log) and `desk`; `scribe` interprets looks.
"""
