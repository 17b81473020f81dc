"""Event logs: one game is one SQLite file to which events are only appended.

In: events (frozen dataclasses). Out: the same events, read back from any version of the log; JSON lines;
news. Open `event_log` first, then `event_codec`.
"""
