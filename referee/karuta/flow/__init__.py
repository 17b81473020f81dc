"""The flow of a match as a pure function: state and event in, state and follow-ups out.

In: events from the eye, the reader and people. Out: the next state and what the program has to do.
Open `match` first, then `state`.
"""
