"""A card table over time: what lies where whenever it comes to rest.

In: frames. Out: readings of the table, with the arms that were over it in between.
Open `watcher` first, then `memory`.
"""
