"""Hanafuda printed anew: what the reader of foreign printings learns from."""
