"""A box of Kendo cards of the house's own, drawn by code: nobody's printed art is copied."""
