"""Cameras that are reached by a network."""
