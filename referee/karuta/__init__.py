"""Kyogi karuta: judging a poem and the flow of a match."""
