"""A simulated hall as a table: pictures, starts of poems, an official who knows; open `table`."""
