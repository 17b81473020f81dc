"""A tournament's desk: entries from spreadsheets, one append-only log, results as CSV.

In: a list of entrants, and the operator's actions. Out: the tournament's state (`referee.tournament`).
It works without a hall. Open `desk` first, then `entries` and `spreadsheet`.
"""
