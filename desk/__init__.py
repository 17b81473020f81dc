"""The officials' desk: command line, event logs, running games and the web panel.

Packages, bottom first: `log`, `machine`, `panel`, `tables`, `enrolment` and `reciter`, the games `karuta`,
`koikoi` and `kendo`, and `commands`. A package imports only packages named before it. `errors` is what a user
can mend. Start with `commands.cli`.
"""
