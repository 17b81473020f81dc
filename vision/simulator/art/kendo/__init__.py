"""The house's own box of Kendo cards, drawn by code: no printed art is copied."""
