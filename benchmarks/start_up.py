"""How soon the command line answers, beside the bare interpreter in the same run.

`uv run python -m benchmarks.start_up`
"""

from __future__ import annotations

import subprocess
import sys
import time

CALLS = 15
GOAL_S = 0.2


def main() -> int:
    """Print the median times of a bare interpreter, of `shinpan --help` and of all that a judge loads."""
    bare_s = _median_s("-c", "pass")
    help_s = _median_s("-m", "desk", "--help")
    print(f"python -c pass   {bare_s * 1e3:6.1f} ms")
    ratio, goal_ms = help_s / bare_s, GOAL_S * 1e3
    print(f"shinpan --help   {help_s * 1e3:6.1f} ms  ({ratio:.1f} x, goal below {goal_ms:.0f} ms)")
    judge_s = _median_s("-m", "desk", "judge", "--help")
    arrays_s = _median_s("-c", "import numpy, cv2")
    print(f"numpy and OpenCV {arrays_s * 1e3:6.1f} ms")
    print(f"shinpan judge    {judge_s * 1e3:6.1f} ms  ({judge_s / arrays_s:.1f} x these two)")
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
