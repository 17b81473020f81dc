"""A reading without a match: its content, and what may be shown of it.

In: an order of poems and a voice. Out: sound, and a page and a terminal that follow it.
Open `session` first.
"""
