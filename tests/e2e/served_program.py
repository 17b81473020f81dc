"""The program itself in a process of its own, as a user starts it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

PATIENCE_S = 60


class Program:
    """`shinpan serve` on a port of this machine, with its matches in a folder.

    Parameters
    ----------
    folder : where the match logs lie.
    arguments : further words of the command line.
    """

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        self.address = ""
        self._process: subprocess.Popen[str]
        self._port = str(20_000 + os.getpid() % 20_000)  # the program takes the next one where it is in use
        self.start(*arguments)

    def start(self, *arguments: str) -> None:
        """Start it, after `kill` on the same port as before."""
        words = ["serve", "--matches", str(self.folder), "--port", self._port, *arguments]
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "desk", *words], stdout=subprocess.PIPE, text=True, env=environment
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("panel:"):
                self.address = line.split()[1]
                self._port = self.address.rpartition(":")[2]
                return
        raise AssertionError(f"the program ended with {self._process.wait()} and served nothing")

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    def kill(self) -> None:
        """End it as a power cut would."""
        self._process.kill()
        self._process.communicate(timeout=PATIENCE_S)

    def end(self) -> int:
        """End it as a user does, with Ctrl-C, and return its exit code."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._process.communicate(timeout=PATIENCE_S)
        return self._process.returncode
