"""Many recordings judged, each once, by several processes at a time.

In: folders of recordings. Out: one result file for each, whole or not there, and a summary. A result is known
by what was judged and by what judged it: nothing is judged twice, and nothing old is taken for new.
Open `recordings` first, then `workers` and `results`.
"""
