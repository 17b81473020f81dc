"""Judging many recordings, each once, with several processes.

In: folders of recordings. Out: one result file for each, written whole or not at all, and a summary. A result
is identified by the recording and by the program, so that nothing is judged twice and no old result is
reused. Open `recordings` first, then `workers` and `results`.
"""
