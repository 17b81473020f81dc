"""The karuta field at rest: its layout, its cards' places, its light.

In: frames on which nothing moves. Out: a `Layout`, a `Slot` for every card, and a model of the field to
compare with. Open `layout_reader` first, then `slots` and `model`.
"""
