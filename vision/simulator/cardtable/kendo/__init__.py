"""Random bouts of the Kendo cards on a simulated table; open `table`."""
