"""Listening to a human reader: when a half begins, and which poem it may be.

In: sound, in pieces as it arrives. Out: instants of first sounds, and poems with their probabilities.
Open `live_listener` first, then `listener` and `search`.
"""
