"""The voices that can recite, built-in and imported, and the packs they are kept in; open `catalogue`."""
