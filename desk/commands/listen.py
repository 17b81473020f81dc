"""`shinpan listen`: find the halves that a reader recites, and suggest their poems."""

import argparse
import sys
from pathlib import Path

from desk.errors import DeskError
from desk.log.json_lines import write_json
from desk.machine.output_file import add_output
from referee.sentence import Sentence


def add_arguments(parser: argparse.ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("file", type=Path, nargs="?", help="a recording of a reader, in any sound format")
    source.add_argument("--mic", action="store_true", help="listen to the microphone")
    parser.add_argument("--device", help="name or number of the microphone")
    add_output(parser, "--json", type=Path, metavar="OUT", help="write what was heard to this file as JSON")
    parser.add_argument("--unread", help="poems that can still be read, such as 1,2,30-45 (default: all)")


def run(arguments: argparse.Namespace) -> int:
    """Listen to a file or a microphone; return 1 if nothing was heard."""
    from recitation.reading.card_set import CardSetError, parse_cards

    with DeskError.wrapping("--unread: {why}", CardSetError):
        unread = parse_cards(arguments.unread or "all")
    return _to_the_microphone(arguments, unread) if arguments.mic else _to_a_file(arguments, unread)


def _to_a_file(arguments: argparse.Namespace, unread: frozenset[int]) -> int:
    from desk.commands.cli import in_terminal_language
    from desk.reciter.live_listener import names
    from recitation.imports.decoding import DecodingError, false_length, load, sentence_of_lengths
    from recitation.listening.listener import Listener, listen
    from recitation.reading.plan import SAMPLE_RATE

    path: Path = arguments.file
    if not path.is_file():
        raise DeskError("expected a sound file, but {path} is not a file", path=path)
    with DeskError.wrapping("{path}: {why}", DecodingError, path=path):
        wave = load(path)
    if (lengths := false_length(path)) is not None:
        sys.stderr.write(f"shinpan listen: {path}: {in_terminal_language(sentence_of_lengths(lengths))}\n")
    readings = listen(wave, Listener(unread))
    if not readings:
        nothing = Sentence(
            "expected a reader's halves, but none was recognised in {s} s of sound whose loudest sample is "
            "at {percent} % of full scale: check that length and loudness are those of the recording, and "
            "play it",
            s=round(len(wave) / SAMPLE_RATE, 1),
            percent=round(100 * float(abs(wave).max()), 1),
        )
        sys.stderr.write(f"shinpan listen: {path}: {in_terminal_language(nothing)}\n")
    write_json(arguments.json, {"readings": [heard.as_json() for heard in readings]})
    for heard in readings:
        sys.stdout.write(f"{heard.t_s:8.2f} s  {heard.half or '?':5s}  {names(heard.suggestions)}\n")
    return 0 if readings else 1


def _to_the_microphone(arguments: argparse.Namespace, unread: frozenset[int]) -> int:
    from desk.machine.sound_device import device_of
    from desk.reciter.live_listener import follow
    from recitation.listening.listener import Listener
    from recitation.playback.sound_in import Microphone

    return follow(Microphone(device_of(arguments.device)), Listener(unread), arguments.json)
