"""The page for enrolling a deck in front of a camera; open `routes`."""
