"""`shinpan listen`: find the halves in a recording of a reader, and suggest the poems."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desk.errors import DeskError

if TYPE_CHECKING:
    from recitation.listening.listener import Heard


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", type=Path, help="a recording of a reader, any kind of sound file")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write what was heard there as JSON")
    parser.add_argument("--unread", help="poems that can still be read, such as 1,2,30-45; all by default")


def run(arguments: argparse.Namespace) -> int:
    """Listen to a file; 1 where nothing was heard.

    Raises
    ------
    DeskError
        Where the file holds no sound, or the poems cannot be read.
    """
    from recitation.card_set import CardSetError, parse_cards
    from recitation.imports.decoding import DecodingError, load
    from recitation.listening.listener import EVERY_PHRASE, Listener, listen
    from recitation.listening.templates import Templates

    path: Path = arguments.file
    if not path.is_file():
        raise DeskError(f"expected a sound file, but {path} is not a file")
    try:
        unread = parse_cards(arguments.unread or "all")
        wave = load(path)
    except CardSetError as error:
        raise DeskError(f"--unread: {error}") from error
    except DecodingError as error:
        raise DeskError(f"{path}: {error}") from error
    readings = listen(wave, Listener(Templates.of(EVERY_PHRASE), unread))
    if arguments.json is not None:
        content = {"readings": [_as_json(heard) for heard in readings]}
        arguments.json.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    for heard in readings:
        poems = ", ".join(f"{one.poem} ({one.confidence:.0%})" for one in heard.suggestions)
        sys.stdout.write(f"{heard.t_s:8.2f} s  {heard.half or '?':5s}  {poems or 'no suggestion'}\n")
    return 0 if readings else 1


def _as_json(heard: Heard) -> dict[str, Any]:
    return {
        "t_s": round(heard.t_s, 4),
        "t_unc_s": heard.t_unc_s,
        "half": heard.half,
        "suggestions": [{"poem": one.poem, "confidence": one.confidence} for one in heard.suggestions],
        "first_top_s": heard.first_top_s,
    }
