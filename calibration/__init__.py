"""Where things are and how late they are: field geometry, lens, decks, latency."""
