"""A deck of cards as data: one normalised picture per card.

In: a folder or a file. Out: a `Deck`, or all its faults at once.
Open `deck` first, then `enrolment`.
"""
