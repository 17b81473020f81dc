"""Torifuda that do not exist, printed and photographed: what the reader learns from.

In: typefaces. Out: crops of single cards, and pictures of whole layouts.
Open `printer` first, then `field`.
"""
