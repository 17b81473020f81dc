"""How many small changes of the code its tests notice."""
