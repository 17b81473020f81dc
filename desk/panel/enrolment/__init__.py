"""The page on which a deck is enrolled before a camera; open `routes`."""
