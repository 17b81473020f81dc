"""Koi-Koi at a table, filmed or live.

In: looks at the table and declarations of players. Out: events with flags, minutes, and data for the page.
Open `game` first (a game is read from its log), then `desk`; `scribe` interprets looks.
"""
