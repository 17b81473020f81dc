"""A karuta match at the desk.

`engine` writes the log, `evidence` makes replays, `eye` watches, `readers` read aloud, `simulated_hall`
simulates a table, and `house` holds set-up, running match and history. A package imports only packages named
before it. Open `engine.engine` first, then `house.live_match`.
"""
