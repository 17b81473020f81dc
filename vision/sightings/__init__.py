"""Find a card that left its place in single pictures.

In: a `Departure`. Out: places of the card to a fraction of a pixel, each with its uncertainty. Open `spots`
first; it searches for `tiles` of the face where `traces` of the card are strong.
"""
