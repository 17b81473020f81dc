"""What every benchmark's command has in common: its options, its table, and its figures as JSON."""

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any


def read_options(
    doc: str | None, *folders: Path, argv: Sequence[str] | None = None, **usual: Any
) -> argparse.Namespace:
    """Return what was said on the command line, in attributes, with the file for `write_json` in `json`.

    Parameters
    ----------
    doc : what the command does; shown by `--help`.
    folders : given without a name; these where none are. Without any, the command takes no folders.
    argv : the words; None for those of this process.
    usual : each option by name, and what it is unless it is said. A type stands for an option that may be
        left out (None), a tuple for a choice whose first is usual, a list for one or more values, and a
        mapping for any of its keys, all of them unless some are said.
    """
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    if folders:
        parser.add_argument("folders", nargs="*", type=Path, default=list(folders))
    for name, value in (usual | {"json": Path}).items():
        flag, told = (
            f"--{name.replace('_', '-')}",
            None if isinstance(value, type | list) else f"usually {value}",
        )
        if isinstance(value, bool):
            parser.add_argument(flag, action="store_true")
        elif isinstance(value, type):
            parser.add_argument(flag, type=value)
        elif isinstance(value, tuple):
            parser.add_argument(flag, choices=[one for one in value if one is not None], default=value[0])
        elif isinstance(value, Mapping):
            parser.add_argument(flag, nargs="+", choices=list(value), default=list(value), metavar="NAME")
        elif isinstance(value, list):
            is_open = isinstance(value[0], type)
            kind = value[0] if is_open else type(value[0])
            parser.add_argument(flag, nargs="+", type=kind, default=[] if is_open else value, help=told)
        else:
            parser.add_argument(flag, type=type(value), default=value, help=told)
    return parser.parse_args(argv)


def write_json(file: Path | None, figures: Any) -> None:
    """Write figures as JSON where a file was named."""
    if file is not None:
        file.write_text(json.dumps(figures, indent=1, ensure_ascii=False, default=str) + "\n", "utf-8")


def table(rows: Iterable[Mapping[str, Any]]) -> None:
    """Print rows under one head, each as soon as it is known; a column is as wide as head and first row."""
    widths: list[int] | None = None
    for row in rows:
        cells = [
            "-" if cell is None else f"{cell:g}" if isinstance(cell, float) else str(cell)
            for cell in row.values()
        ]
        if widths is None:
            widths = [max(len(name), len(cell)) + 1 for name, cell in zip(row, cells, strict=True)]
            print("  ".join(f"{name:<{width}}" for name, width in zip(row, widths, strict=True)).rstrip())
        print(
            "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip(),
            flush=True,
        )
