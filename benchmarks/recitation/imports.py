"""Which planted faults an import names, and whom it accuses without a cause.

    uv run python -m benchmarks.recitation.imports [--seeds 3] [--json OUT]

The 202 halves of the human reader beside the checkout are linked into a folder, once as they are and then
with faults at random places: two poems swapped, the halves of one poem swapped, a file copied over another
one, and an upper half under a lower half's name. A named fault is a fatal problem of the file that holds the
wrong sound; an accusation is a fatal problem of any other file.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.command import read_options, write_json
from benchmarks.places import SHARED
from recitation.imports.importer import import_voice
from referee.cards.poems import POEMS

_READER = SHARED / "data" / "reader"
_UPPER, _LOWER = "first-verse", "second-verse"


def main() -> int:
    """Print one row per folder."""
    options = read_options(__doc__, seeds=3)
    if not _READER.is_dir():
        print(f"no reader in {_READER}")
        return 2
    print(f"{'folder':16s}{'heard':>8s}{'named':>12s}{'accused':>10s}{'seconds':>10s}", flush=True)
    rows = []
    for seed in (None, *range(options.seeds)):
        planted = {} if seed is None else _planted(random.Random(seed))
        rows.append(row := {"seed": seed, **_imported(planted)})
        name = "as it is" if seed is None else f"faults, seed {seed}"
        named = f"{row['named']} of {row['planted']}"
        print(
            f"{name:16s}{row['heard']:8d}{named:>12s}{row['accused']:10d}{row['seconds']:10.1f}", flush=True
        )
    write_json(options.json, rows)
    return 0


def _planted(dice: random.Random) -> dict[str, str]:
    """Return which files hold another one's sound."""
    one, other, swapped, copied, source, upper = dice.sample(list(POEMS), 6)
    return {
        _file(_UPPER, one): _file(_UPPER, other),
        _file(_UPPER, other): _file(_UPPER, one),
        _file(_UPPER, swapped): _file(_LOWER, swapped),
        _file(_LOWER, swapped): _file(_UPPER, swapped),
        _file(_LOWER, copied): _file(_LOWER, source),
        _file(_LOWER, upper): _file(_UPPER, dice.choice([each for each in POEMS if each != upper])),
    }


def _imported(planted: Mapping[str, str]) -> dict[str, Any]:
    with _linked(planted) as folder, tempfile.TemporaryDirectory() as voices:
        began_s = time.perf_counter()
        report = import_voice(folder, "benchmark", Path(voices), check_only=True)
        seconds = time.perf_counter() - began_s
    accused = {problem.file for problem in report.problems if problem.fatal}
    # a copy is the same sound twice: naming either file names the fault
    named = {name for name, source in planted.items() if name in accused or source in accused}
    return {
        "heard": report.heard,
        "planted": len(planted),
        "named": len(named),
        "accused": len(accused - set(planted) - set(planted.values())),
        "seconds": seconds,
    }


@contextmanager
def _linked(planted: Mapping[str, str]) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as made:
        for folder in (_UPPER, _LOWER):
            (Path(made) / folder).mkdir()
            for path in (_READER / folder).iterdir():
                name = f"{folder}/{path.name}"
                (Path(made) / name).symlink_to(_READER / planted.get(name, name))
        yield Path(made)


def _file(folder: str, poem: int) -> str:
    return f"{folder}/poem-{poem}.ogg"


if __name__ == "__main__":
    raise SystemExit(main())
