"""The page for enrolling a deck in front of a camera.

In: the cards that were taken so far. Out: the page, and commands to take, undo and keep. Open `routes` first.
"""
