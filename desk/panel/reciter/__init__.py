"""The page of a reading: a remote control or a loudspeaker.

In: the state of the reading and its sound. Out: the page, its streams, and commands. Open `routes` first.
"""
