"""A reading without a match: what is read, and what may be shown of it now.

In: an order of poems and a voice. Out: sound, a page and a terminal that follow it.
Open `session` first.
"""
