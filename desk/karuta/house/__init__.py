"""The house: the set-up of a match, the running match, and earlier matches.

In: what people choose and agree on. Out: a `LiveMatch`, its port for the panel, and the history.
Open `house` first, then `live_match`.
"""
