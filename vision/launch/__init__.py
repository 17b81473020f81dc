"""Time when a card set off, and find how.

In: departures and the sightings of their cards. Out: a `Launch`: the instant with its uncertainty, and the
velocity. Open `strikes` first (all cards of a poem together), then `onset` (slid cards) and `flight` (struck
cards).
"""
