"""Readings: what the listener learns from."""
