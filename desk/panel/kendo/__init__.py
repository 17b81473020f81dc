"""The page of a bout of the Kendo cards; open `routes`, then `view`."""
