"""The cards of the games: one hundred poems with their torifuda, and 48 hanafuda."""
