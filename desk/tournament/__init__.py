"""A tournament's desk: entries from spreadsheets, one log to which everything is appended, results as CSV.

In: a list of entrants, and what the operator does. Out: the tournament as `referee.tournament` knows it.
It works without a hall. Open `desk` first, then `entries` and `spreadsheet`.
"""
