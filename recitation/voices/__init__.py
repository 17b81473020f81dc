"""The built-in and imported voices, and the packs that hold them; open `catalogue`."""
