"""What the house's own cards look like: kana, hanafuda and Kendo cards drawn by code."""
