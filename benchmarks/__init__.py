"""Accuracy and speed, one command each."""

from desk.commands.cli import use_one_thread

use_one_thread()  # as the program does: small products take ten times as long on many threads
