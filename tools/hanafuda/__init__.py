"""Hanafuda printed anew: what the reader of foreign printings learns from.

In: pictures of known decks. Out: crops of cards that no maker printed. Open `lessons` first, then `printer`.
"""
