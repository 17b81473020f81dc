"""What is read, in which order and in which rhythm, as plain data.

In: cards, a seed, a rhythm. Out: a `ReadingPlan` with the first sample of every phrase.
Open `plan` first, then `order`.
"""
