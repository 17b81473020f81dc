"""Kyogi karuta: one poem judged here, the flow of a match in `flow`.

In: facts and declarations. Out: a `Ruling` with its reasons, each an id of `rulebook.toml`.
Open `judge` first, then `ruleset`.
"""
