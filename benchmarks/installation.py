"""From a fresh clone to the running demo: what is downloaded, and how long it takes; needs the network.

`uv run python -m benchmarks.installation`
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.start_up import first_picture_s

ROOT = Path(__file__).parents[1]
SETS = {"what the demo needs (--no-dev)": ("--no-dev",), "with what the tests need": ()}


def main() -> int:
    """Print the size of the download, and the time of each step."""
    with tempfile.TemporaryDirectory() as folder:
        clone, cache = Path(folder) / "clone", Path(folder) / "cache"
        for name, options in SETS.items():
            print(f"download, {name}: {_download_mb(Path(folder) / str(len(options)), options):.0f} MB")
        cloned_s = _timed("git", "clone", "--quiet", "--depth", "1", ROOT.as_uri(), str(clone))
        print(f"clone: {cloned_s:.1f} s, {_size_mb(clone):.0f} MB")
        synced_s = _timed("uv", "sync", "--quiet", "--locked", "--no-dev", at=clone, UV_CACHE_DIR=str(cache))
        print(f"uv sync --no-dev with an empty cache: {synced_s:.1f} s")
        programs = clone / ".venv" / ("Scripts" if os.name == "nt" else "bin")
        shown_s = first_picture_s(str(programs / "shinpan"))
        print(f"shinpan demo, first picture: {shown_s:.1f} s")
        print(f"together: {cloned_s + synced_s + shown_s:.1f} s")
    return 0


def _timed(*command: str, at: Path = ROOT, **environment: str) -> float:
    begin = time.perf_counter()
    # the environment of this run is not the one of the clone
    inherited = {key: value for key, value in os.environ.items() if key != "VIRTUAL_ENV"}
    subprocess.run(command, check=True, cwd=at, env={**inherited, **environment})
    return time.perf_counter() - begin


def _download_mb(folder: Path, options: tuple[str, ...]) -> float:
    """Return the size of all packages of the lock file as they are downloaded for this machine."""
    folder.mkdir()
    listed = folder / "requirements.txt"
    _timed("uv", "export", "--quiet", "--locked", *options, "--no-emit-project", "--output-file", str(listed))
    packages = folder / "packages"
    _timed("uvx", "pip", "download", "--quiet", "--no-deps", "-r", str(listed), "-d", str(packages))
    return _size_mb(packages)


def _size_mb(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


if __name__ == "__main__":
    sys.exit(main())
