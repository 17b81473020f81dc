"""The page of a match, its record and its replays.

In: snapshots of a match and the bundles of its rulings. Out: the page in two languages, its stream, checked
commands, and the record as CSV and JSON. Open `routes` first, then `view`.
"""
