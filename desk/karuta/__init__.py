"""A karuta match at the desk.

`engine` writes the log, `evidence` proves rulings, `eye` watches, `readers` read aloud, `simulated_hall`
replaces the hall, and `house` holds set-up, running match and history. A package imports only packages named
before it. Open `engine.engine` first, then `house.live_match`.
"""
