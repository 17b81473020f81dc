"""Fitting outlines, poses and the plane of cards to a picture."""
