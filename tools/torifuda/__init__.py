"""Torifuda that do not exist, printed and photographed: what the reader learns from."""
