"""`shinpan recite`: read the poems aloud, or write the reading to a file."""

from __future__ import annotations

import argparse
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from desk.commands.reading.book_set import add_set_arguments, cards_of_set
from desk.errors import DeskError
from desk.machine.config import PANEL_PORT
from desk.machine.output_file import add_output
from desk.machine.sound_device import device_of, keep_latency, latencies_path, read_latencies
from desk.panel.words import texts
from desk.reciter.card_sets import keep_order, last_order, last_reading_path
from desk.reciter.voice_folders import voice_folders
from referee.complaint import of_file, sentence_of
from referee.sentence import Sentence

if TYPE_CHECKING:
    from recitation.playback.player import ReadingSettings
    from recitation.reading.practice import Step

_SEEDS = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from desk.commands.cli import in_terminal_language

    parser.add_argument(
        "--rhythm", default="4-3-1-5", help="4-3-1-5, 5-3-1-6, as-recorded, or four lengths in seconds"
    )
    parser.add_argument("--voice", default="high", help="high, low, or the name of an imported voice")
    parser.add_argument(
        "--seed", type=int, help="seed of the order; the same seed gives the same order again"
    )
    orders = (
        f"{order}: {in_terminal_language(Sentence(meant))}"
        for order, meant in texts("desk.panel.home")["orders"].items()
    )
    parser.add_argument("--order", default="shuffle", help="; ".join(orders))
    parser.add_argument(
        "--mode",
        default="competition",
        help="competition, beginner, kami-only, shimo-only, ..., or a pattern such as 2/1",
    )
    parser.add_argument("--poems", type=int, metavar="N", help="read N poems, not all")
    parser.add_argument(
        "--cards", help="only these poems: numbers such as 1,5,20-29, colours, first sounds, named sets"
    )
    add_set_arguments(parser)
    parser.add_argument("--again", action="store_true", help="read the last order once more")
    parser.add_argument(
        "--karafuda", type=int, default=0, metavar="N", help="read N poems beyond those of --cards"
    )
    parser.add_argument(
        "--confusable",
        type=float,
        default=0.0,
        metavar="PART",
        help="share of the karafuda that begin like a card on the field",
    )
    parser.add_argument("--no-joka", action="store_true", help="leave out the opening poem")
    parser.add_argument(
        "--joka", default="122", metavar="HALVES", help="how the opening poem is read: 122, 12, 22, ..."
    )
    parser.add_argument(
        "--wait", type=float, default=3.0, metavar="S", help="silence between steps, in seconds"
    )
    add_output(
        parser,
        "--render",
        type=Path,
        holds=("match.wav", "cues.json"),
        metavar="DIR",
        help="write match.wav and cues.json to this folder instead of playing",
    )
    parser.add_argument("--by-hand", action="store_true", help="wait for Enter before every step")
    parser.add_argument("--volume", type=float, default=1.0, help="0 to 1")
    parser.add_argument("--device", help="name or number of the sound device")
    parser.add_argument(
        "--calibrate",
        action="store_true",
        help="measure the sound device's latency: hold a microphone to the loudspeaker",
    )
    parser.add_argument("--microphone", help="name or number of the microphone for --calibrate")
    parser.add_argument(
        "--memorise",
        type=float,
        default=0.0,
        metavar="MIN",
        help="minutes to memorise the field before the first poem, with a notice two minutes before the end",
    )
    parser.add_argument(
        "--browser", action="store_true", help="play through the page in a browser (press Next to begin)"
    )
    parser.add_argument("--lan", action="store_true", help="let phones on the local network open the page")
    parser.add_argument("--port", type=int, default=PANEL_PORT, help="port of the page")
    parser.add_argument("--no-page", action="store_true", help="do without the page")
    parser.add_argument(
        "--silent", action="store_true", help="show the text in time with the reading, without sound"
    )


def run(arguments: argparse.Namespace) -> int:
    """Read aloud, or write a file; DeskError if an argument is wrong, or a device cannot be used."""
    if arguments.calibrate:
        return _calibrate(arguments)
    seed = secrets.randbelow(_SEEDS) if arguments.seed is None else arguments.seed
    try:
        steps = _steps(arguments, seed)
        if arguments.render is not None:
            return _render(arguments, steps)
        return _play(_reading(arguments, steps), seed, arguments)
    except OSError as error:
        raise DeskError(of_file(error)) from error
    except ValueError as error:
        raise DeskError(sentence_of(error)) from error


def _steps(arguments: argparse.Namespace, seed: int) -> tuple[Step, ...]:
    from desk.reciter.reading_plan import Wish, planned_steps
    from recitation.reading.practice import joka_step, steps

    joka = "" if arguments.no_joka else arguments.joka
    cards = arguments.cards
    if (chosen := cards_of_set(arguments)) is not None:
        if cards is not None or arguments.again:
            raise DeskError("--set says which poems are read: leave out --cards and --again")
        cards = ",".join(map(str, chosen))
    if arguments.again:
        return steps(last_order(last_reading_path()), arguments.mode, joka=joka_step(joka))
    return planned_steps(
        Wish(
            seed,
            arguments.order,
            arguments.mode,
            cards,
            arguments.poems,
            joka,
            arguments.karafuda,
            arguments.confusable,
        )
    )


def _render(arguments: argparse.Namespace, steps: tuple[Step, ...]) -> int:
    from recitation.playback.rendering import CUES, SOUND, render
    from recitation.reading.plan import Spacing, plan_reading
    from recitation.reading.rhythm import parse_rhythm
    from recitation.voices.catalogue import find_voice

    voice = find_voice(arguments.voice, parse_rhythm(arguments.rhythm), voice_folders())
    plan = plan_reading(steps, voice.rhythm, voice.samples, Spacing(wait_s=arguments.wait))
    render(plan, voice, arguments.render)
    sys.stdout.write(f"{arguments.render / SOUND}\n{arguments.render / CUES}\n")
    return 0


def _reading(arguments: argparse.Namespace, steps: tuple[Step, ...]) -> ReadingSettings:
    from recitation.playback.player import ReadingSettings
    from recitation.reading.plan import Spacing
    from recitation.reading.rhythm import parse_rhythm

    return ReadingSettings(
        steps=steps,
        voice=arguments.voice,
        rhythm=parse_rhythm(arguments.rhythm),
        folders=voice_folders(),
        spacing=Spacing(lead_s=0.1, wait_s=arguments.wait),
        by_hand=arguments.by_hand,
        volume=arguments.volume,
        device=device_of(arguments.device),
        silent=arguments.silent,
        streamed=arguments.browser,
        starts_by_hand=arguments.browser,
        memorise_s=60 * arguments.memorise,
        latencies=read_latencies(latencies_path()),
    )


def _calibrate(arguments: argparse.Namespace) -> int:
    from calibration.failure import FailedEstimation
    from recitation.playback.loopback import measure_latency

    sys.stdout.write("chirps will be played for six seconds ...\n")
    sys.stdout.flush()
    device, found = measure_latency(device_of(arguments.device), device_of(arguments.microphone))
    if isinstance(found, FailedEstimation):
        sys.stdout.write(f"{device}: {found}\n")
        return 1
    keep_latency(latencies_path(), device, found)
    sys.stdout.write(
        f"{device}: {found.latency_ns / 1e6:.2f} ms late, within {found.unc_ns / 1e6:.2f} ms "
        f"({found.heard} of {found.played} chirps heard); kept\n"
    )
    return 0


def _play(reading: ReadingSettings, seed: int, arguments: argparse.Namespace) -> int:
    from desk.reciter.page import recite_page
    from desk.reciter.session import ReciteSession
    from desk.reciter.terminal import follow
    from recitation.playback.player import Player
    from recitation.voices.catalogue import find_voice

    find_voice(reading.voice, reading.rhythm, reading.folders)  # so that a wrong name fails before the start
    sys.stdout.write(f"seed {seed}\n")
    with Player(reading) as player:
        session = ReciteSession(player, reading.steps, reading.streamed)
        try:
            keep_order(last_reading_path(), session.order())
        except OSError as error:
            # people are waiting, so read even if the order cannot be stored for a review
            sys.stderr.write(f"shinpan recite: the order is not kept for --again: {of_file(error)}\n")
        stays = not arguments.no_page and sys.stdin.isatty()
        if arguments.no_page:
            return follow(player, session, stays=stays)
        # the page's libraries load in parallel, so that the first sound does not wait for them
        with recite_page(session, arguments.port, lan=arguments.lan):
            return follow(player, session, stays=stays)
