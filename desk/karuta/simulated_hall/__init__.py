"""A simulated table: pictures, starts of poems, and an official who knows the truth; open `table`."""
