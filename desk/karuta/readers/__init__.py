"""Who reads the poems of a match: a person, the loudspeaker, or the simulator.

In: what the rules ask to be read. Out: the instant at which each poem began.
Open `reader` first.
"""
