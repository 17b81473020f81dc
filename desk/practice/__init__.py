"""Solo practice against the clock: one player, one territory, and the camera times every take.

In: a table, a reader, the poems to practise. Out: a log of attempts that the club's book reads, and a page.
Open `practice` first, then `attempt`.
"""
