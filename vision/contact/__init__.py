"""Decide whose hand was at a card, and whether it touched the card at all.

In: launches and the player map. Out: for each card that moved a touch, a push, a rival or a hover, with its
doubt. Open `attribution` first, then `evidence` and `cause`.
"""
