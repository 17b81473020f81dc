"""The games as pure functions: facts in, rulings out. Standard library only; no clock, no dice, no I/O."""
