"""`nats-server` as a process on this machine: for trials, small halls and tests."""

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from desk.errors import DeskError
from desk.hall.link import OLDEST, check_version

PROGRAM = "nats-server"
_STARTS_WITHIN_S = 10.0


def program() -> str:
    """Return the path of the server program; DeskError if it is not installed, or too old."""
    found = shutil.which(PROGRAM)
    if found is None:
        raise DeskError(
            "{program} is not installed: get version {oldest} or newer from https://nats.io/download "
            "(macOS: brew install {program}); docs/hall.md says more",
            program=PROGRAM,
            oldest=".".join(map(str, OLDEST)),
        )
    told = subprocess.run([found, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    check_version(told.stdout)
    return found


class ServerProcess:
    """A server that runs with a configuration file; its output goes to a log file next to it.

    `file`: the configuration, `NAME.conf`. `port`: its port for clients, which answers once it runs.
    """

    def __init__(self, file: Path, port: int, host: str = "127.0.0.1") -> None:
        self.file, self.host, self.port = file, host, port
        self.log = file.with_suffix(".log")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and return when it accepts connections.

        Raises DeskError if it is not installed or does not start; the message has the end of its output.
        """
        self.launch()
        self.await_start()

    def launch(self) -> None:
        """Start it, and return at once."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 -- a fixed program with a file of our own
                [program(), "-c", str(self.file)], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def await_start(self) -> None:
        """Return when it accepts connections; raises as `start`."""
        assert self._process is not None, "launch() comes first"
        ends_s = time.monotonic() + _STARTS_WITHIN_S
        while time.monotonic() < ends_s and self._process.poll() is None:
            try:
                socket.create_connection((self.host, self.port), 0.2).close()
            except OSError:
                time.sleep(0.02)
            else:
                return
        self.kill()
        lines = self.log.read_text("utf-8", "replace").strip().splitlines()
        raise DeskError(
            "{program} does not start with {file}: {why}",
            program=PROGRAM,
            file=self.file,
            why=lines[-1] if lines else "it printed nothing",
        )

    @property
    def pid(self) -> int:
        """The process's number; 0 before it was launched."""
        return 0 if self._process is None else self._process.pid

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def reload(self) -> None:
        """Have it read its configuration again, as `nats-server --signal reload` does."""
        assert self._process is not None, "start() comes first"
        self._process.send_signal(signal.SIGHUP)

    def stop(self) -> None:
        """Shut it down."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """End it at once, as a crash or a power cut does (SIGKILL)."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def wait(self) -> int:
        """Wait until it ends, and return its exit code."""
        assert self._process is not None, "start() comes first"
        return self._process.wait()


def start_together(servers: Sequence[ServerProcess]) -> None:
    """Start servers that need each other; raises as `ServerProcess.start`."""
    for server in servers:
        server.launch()
    for server in servers:
        server.await_start()
