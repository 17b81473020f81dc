"""Tables whose pictures are drawn or recorded, and come at the pace of a clock of their own."""
