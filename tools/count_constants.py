"""Counts the module-level constants of a folder: `python tools/count_constants.py [vision] [--by DEPTH]`.

Whatever a module binds by a name in capitals counts, annotated or not, alone or in a row of names, leading
underscores aside.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path


def constants(module: ast.Module) -> Iterator[str]:
    """Yield the names in capitals that a module binds at its top level."""
    for statement in module.body:
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        else:
            continue
        for name in (node for target in targets for node in ast.walk(target)):
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store) and name.id.isupper():
                yield name.id


def main(arguments: list[str] | None = None) -> int:
    """Print how many constants each package holds, most first, and the sum."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("vision"))
    parser.add_argument("--by", type=int, default=2, help="how many folders deep the sums go")
    options = parser.parse_args(arguments)
    sums: Counter[str] = Counter()
    for file in sorted(options.folder.rglob("*.py")):
        module = ast.parse(file.read_text("utf-8"))
        sums["/".join(file.parts[: options.by])] += sum(1 for _ in constants(module))
    for name, count in sums.most_common():
        print(f"{count:5} {name}")
    print(f"{sum(sums.values()):5} in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
