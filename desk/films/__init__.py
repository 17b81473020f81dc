"""A film alone: which game it shows, what was read in it and when, and its rulings.

In: a film of a phone or camera. Out: the rulings, and the recording's folder that gives them again.
Open `judgement`.
"""
