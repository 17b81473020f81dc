"""The command line: one module per command.

In: words. Out: an exit code, text or JSON.
Open `cli`: its table `COMMANDS` names the module of every command. A module is imported when its command is
called.
"""
