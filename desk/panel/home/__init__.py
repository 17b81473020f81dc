"""The home page, and the set-up of everything but karuta matches.

In: what runs, and what can be chosen. Out: the pages, and what people agreed.
Open `routes` first, then `port`.
"""
