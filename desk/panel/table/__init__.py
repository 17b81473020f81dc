"""What the pages of all card tables share; open `routes`."""
