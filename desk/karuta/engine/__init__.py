"""The one writer of a match: event in, rules asked, event logged, news told.

In: what the eye saw and what people said. Out: the log, and a snapshot for the panel.
Open `engine` first, then `events`.
"""
