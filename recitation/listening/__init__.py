"""Listening to a human reader: when a half begins, and which poem it may be."""
