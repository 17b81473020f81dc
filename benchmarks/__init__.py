"""Accuracy and speed, one command each."""

from desk.cli import use_one_thread

use_one_thread()  # as the program does: small products take ten times as long on many threads
