"""Everything that `shinpan serve` hosts beside karuta: card tables and the reciter, each once at a time.

In: what people choose on the home page. Out: running games whose pages the panel serves. Open `home` first,
then `card_table`.
"""
