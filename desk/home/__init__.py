"""Everything that `shinpan serve` hosts besides karuta matches: card tables, reciter, practice, enrolment.

There is at most one of each at a time. In: what people choose on the home page. Out: running games whose
pages the panel serves. Open `home` first, then `card_table`.
"""
