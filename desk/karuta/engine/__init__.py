"""The one writer of a match: it takes an event, asks the rules, logs both, and informs listeners.

In: what the eye saw and what people said. Out: the log, and a snapshot for the panel.
Open `engine` first, then `events`.
"""
