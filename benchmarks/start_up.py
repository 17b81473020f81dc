"""How soon the program answers, beside the bare interpreter in the same run.

`uv run python -m benchmarks.start_up [--json OUT]`
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from benchmarks.command import read_options, write_json

CALLS = 15
DEMOS = 3
HELP_GOAL_S, DEMO_GOAL_S = 0.1, 3.0
PATIENCE_S = 120.0
JPEG_BEGINS = b"\xff\xd8\xff"


def main() -> int:
    """Print the median times of a bare interpreter, of `shinpan --help`, of a judge and of the demo."""
    arguments = read_options(__doc__)
    bare_s = _median_s(sys.executable, "-c", "pass")
    help_s = _median_s(_shinpan(), "--help")
    print(f"python -c pass      {bare_s * 1e3:6.1f} ms")
    ratio, goal_ms = help_s / bare_s, HELP_GOAL_S * 1e3
    print(f"shinpan --help      {help_s * 1e3:6.1f} ms  ({ratio:.1f} x, goal below {goal_ms:.0f} ms)")
    judge_s = _median_s(_shinpan(), "judge", "--help")
    arrays_s = _median_s(sys.executable, "-c", "import numpy, cv2")
    print(f"numpy and OpenCV    {arrays_s * 1e3:6.1f} ms")
    print(f"shinpan judge       {judge_s * 1e3:6.1f} ms  ({judge_s / arrays_s:.1f} x these two)")
    first_picture_s(_shinpan())  # compiles what no start has compiled yet
    used_s = _used_by_children_s()
    demos_s = sorted(first_picture_s(_shinpan()) for _ in range(DEMOS))
    demo_s, used_s = demos_s[DEMOS // 2], (_used_by_children_s() - used_s) / DEMOS
    print(
        f"demo, first picture {demo_s * 1e3:6.0f} ms  (goal below {DEMO_GOAL_S * 1e3:.0f} ms; least "
        f"{demos_s[0] * 1e3:.0f} ms; {used_s * 1e3:.0f} ms of processor)"
    )
    told = {"bare": bare_s, "help": help_s, "arrays": arrays_s, "judge": judge_s, "demo": demo_s}
    write_json(arguments.json, told)
    return 0 if help_s < HELP_GOAL_S and demo_s < DEMO_GOAL_S else 1


def _shinpan() -> str:
    """Return the program as it was installed beside this interpreter."""
    return str(Path(sys.executable).with_name("shinpan.exe" if os.name == "nt" else "shinpan"))


def _median_s(*command: str) -> float:
    times = []
    for _ in range(CALLS):
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - begin)
    return sorted(times)[CALLS // 2]


def _used_by_children_s() -> float:
    """Return the processor time of all programs that were started and have ended; 0 on Windows."""
    used = os.times()
    return used.children_user + used.children_system


def first_picture_s(program: str) -> float:
    """Return how long after its start the demo's page has a picture of the match."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        log = str(Path(folder) / "match.sqlite")
        # as on a user's machine, where Python keeps what it compiled
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        begin = time.perf_counter()
        demo = subprocess.Popen(
            [program, "demo", "--port", str(port), "--log", log],
            env=kept,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            while time.perf_counter() - begin < PATIENCE_S:
                if _shows_picture(f"http://127.0.0.1:{port}/preview.mjpeg"):
                    return time.perf_counter() - begin
                time.sleep(0.01)
        finally:
            demo.terminate()
            demo.wait()
    raise TimeoutError(f"the demo showed no picture within {PATIENCE_S:.0f} s")


def _shows_picture(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=10) as stream:
            return JPEG_BEGINS in stream.read(1024)
    except (OSError, urllib.error.URLError):
        return False


if __name__ == "__main__":
    sys.exit(main())
