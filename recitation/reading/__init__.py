"""What is read, in which order and in which rhythm: plain data.

In: cards, a seed, a rhythm. Out: a `Plan` that puts every phrase on a sample.
Open `plan` first, then `order`.
"""
