"""Kyogi karuta: the ruling on one poem; `flow` holds the flow of a match.

In: facts and declarations. Out: a `Ruling` with its reasons, each an id of `rulebook.toml`.
Open `judge` first, then `ruleset`.
"""
