"""A single film: the game that it shows, what was read in it and when, and its rulings.

In: a film from a phone or camera. Out: the rulings, and a recording's folder that reproduces them.
Open `judgement`.
"""
