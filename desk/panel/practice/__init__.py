"""The page of a practice alone: the latest time in large figures, a remote control, slow cards at the end.

In: the practice as plain data. Out: the page, its stream, and the player's commands. Open `routes` first.
"""
