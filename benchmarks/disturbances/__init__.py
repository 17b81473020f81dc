"""Edits of films with known truth: what moves a card, or seems to, besides a hand."""
