"""How soon the command line answers, beside the bare interpreter in the same run.

`uv run python -m benchmarks.start_up [--json OUT]`
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

CALLS = 15
GOAL_S = 0.2


def main() -> int:
    """Print the median times of a bare interpreter, of `shinpan --help` and of all that a judge loads."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, default=None, help="write the seconds to this file")
    arguments = parser.parse_args()
    bare_s = _median_s("-c", "pass")
    help_s = _median_s("-m", "desk", "--help")
    print(f"python -c pass   {bare_s * 1e3:6.1f} ms")
    ratio, goal_ms = help_s / bare_s, GOAL_S * 1e3
    print(f"shinpan --help   {help_s * 1e3:6.1f} ms  ({ratio:.1f} x, goal below {goal_ms:.0f} ms)")
    judge_s = _median_s("-m", "desk", "judge", "--help")
    arrays_s = _median_s("-c", "import numpy, cv2")
    print(f"numpy and OpenCV {arrays_s * 1e3:6.1f} ms")
    print(f"shinpan judge    {judge_s * 1e3:6.1f} ms  ({judge_s / arrays_s:.1f} x these two)")
    if arguments.json is not None:
        told = {"bare": bare_s, "help": help_s, "arrays": arrays_s, "judge": judge_s}
        arguments.json.write_text(json.dumps(told, indent=1), "utf-8")
    return 0 if help_s < GOAL_S else 1


def _median_s(*arguments: str) -> float:
    times = []
    for _ in range(CALLS):
        begin = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        times.append(time.perf_counter() - begin)
    return sorted(times)[CALLS // 2]


if __name__ == "__main__":
    sys.exit(main())
