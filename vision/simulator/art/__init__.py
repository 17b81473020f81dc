"""The look of the house's own cards: kana, hanafuda and Kendo cards drawn by code."""
