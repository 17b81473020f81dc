"""How many small changes of the code its tests notice.

`uv run python -m benchmarks.mutants [--scope rules] [--mutants 20] [--seed 1] [--from N] [--only FOLDER]`

A mutant is the code with one comparison, sign, number, condition or connective changed. The tests that ran
the changed line should fail; a mutant that they let pass survives and is printed: it needs a test, or a
reason why it changes nothing (`equivalent.toml`). The same seed makes the same mutants, so `--from` goes on
where a run ended. Every mutant has a process of its own; examples of Hypothesis are the same in each.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.mutants.mutation import Mutant, sample
from benchmarks.mutants.trial import baseline, try_all
from benchmarks.places import CACHE


@dataclass(frozen=True, slots=True)
class Scope:
    """Code that is changed, the tests that should notice, and what they import that takes long."""

    code: tuple[str, ...]
    tests: tuple[str, ...]
    imports: tuple[str, ...] = ()


SCOPES = {
    "rules": Scope(("referee",), ("tests/referee",)),
    "log": Scope(("desk/log",), ("tests/desk/log", "tests/desk/commands/test_log.py"), ("numpy", "cv2")),
    "engine": Scope(
        ("desk/karuta/engine",),
        ("tests/desk/karuta/engine", "tests/desk/karuta/house/test_panel_port.py"),
        ("numpy", "cv2"),
    ),
    "reading": Scope(("recitation/reading",), ("tests/recitation/reading",), ("numpy", "soundfile")),
}


def reason_for(mutant: Mutant) -> str | None:
    """Return why no test can notice a mutant, None if nobody has said so."""
    known = tomllib.loads((Path(__file__).parent / "equivalent.toml").read_text("utf-8"))
    reason = known.get(str(mutant.path), {}).get(mutant.code, {}).get(mutant.change)
    return None if reason is None else str(reason)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what survived; 1 where anything did without a reason."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--scope", choices=SCOPES, default="rules")
    parser.add_argument("--mutants", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--from", type=int, default=0, dest="first", metavar="N", help="leave out the first N"
    )
    parser.add_argument("--only", metavar="FOLDER", help="of the scope, with the tests of that folder alone")
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args(arguments)
    scope = SCOPES[options.scope]
    for name in scope.imports:
        importlib.import_module(name)
    chosen = sample(scope.code, options.mutants, options.seed)[options.first :]
    if options.only is not None:
        chosen = [mutant for mutant in chosen if str(mutant.path).startswith(f"{options.only}/")]
        scope = Scope((options.only,), (f"tests/{options.only}",))
    known = baseline(scope.code, scope.tests, CACHE)
    if not known.passed:
        print("the tests fail without any change: mend them first")
        return 2
    survivors, begun_s, screen = list[Mutant](), time.monotonic(), sys.stdout

    def survives(mutant: Mutant) -> None:
        survivors.append(mutant)
        told = reason_for(mutant) or f"{len(known.tests(mutant))} tests"
        print(f"survives  {mutant}  ({told})", file=screen, flush=True)

    try_all(chosen, known, scope.tests, survives)
    print(
        f"{options.scope}: {len(chosen) - len(survivors)} of {len(chosen)} killed, "
        f"{time.monotonic() - begun_s:.0f} s"
    )
    if options.json is not None:
        told = {"scope": options.scope, "mutants": len(chosen), "survivors": list(map(str, survivors))}
        options.json.write_text(json.dumps(told, indent=1), "utf-8")
    return 1 if any(reason_for(each) is None for each in survivors) else 0


if __name__ == "__main__":
    sys.exit(main())
