"""The house's own hanafuda, drawn by this code: twelve plants, their animals, ribbons and lights."""

from vision.simulator.art.hanafuda.deck import drawn_deck

__all__ = ["drawn_deck"]
