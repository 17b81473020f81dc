"""Cues from a hand near a card, before the card's flight is examined.

In: a `Departure`. Out: how fast hands move there, when one reached the card, which hand it was, and where a
hand only casts its shade. Open `speed` or `entry` first.
"""
