"""The options of `shinpan judge FILM`: what a person knows of a film, and the display of progress."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.files import typed_numbers as typed
from desk.commands.judge.archive import filmed_by
from desk.commands.progress_line import ProgressLine, time_left
from desk.errors import DeskError
from referee.complaint import sentence_of
from referee.facts import ASSUMED, UNSURE

if TYPE_CHECKING:
    from desk.films.film import Progress
    from desk.films.judgement import FilmHints, JudgedFilm

_OPTIONS = ("game", "fps", "poems", "order", "unread", "save", "players", "dealer")
_ANSWERS = {
    "game": "--game",
    "deck": "--deck NAME",
    "poems": "--poems 17,46,...",
    "rate": "--fps 240",
    "players": "--players 3",
}
"""For each open question of a film, the option that answers it."""


def add_film_options(parser: argparse.ArgumentParser) -> None:
    film = parser.add_argument_group("films", "what a film alone may not tell")
    film.add_argument(
        "--game", metavar="GAME", help="which game it shows, such as koikoi (default: what is seen in it)"
    )
    film.add_argument(
        "--fps", type=float, metavar="N", help="pictures a second that were filmed, where it is slow motion"
    )
    film.add_argument("--poems", metavar="17,46,...", help="the poems that are read in it, in this order")
    film.add_argument("--order", metavar="17,46,...", help="the order of the match, of which it shows a part")
    film.add_argument("--unread", help="poems that can be read in it, such as 1,2,30-45 (default: all)")
    film.add_argument(
        "--save", type=Path, metavar="FOLDER", help="keep a recording that gives the same rulings again"
    )
    film.add_argument("--players", type=int, choices=(2, 3, 4), help="players of Koi-Koi (default: two)")
    film.add_argument(
        "--dealer",
        type=int,
        metavar="SEAT",
        help="who deals Koi-Koi first, from 0 (default: who plays first)",
    )


def refuse_film_options(arguments: argparse.Namespace) -> None:
    given = [name for name in _OPTIONS if getattr(arguments, name) is not None]
    if given:
        raise DeskError(
            "--{option} is for a film; {folder} is a folder, whose recording.toml and "
            "reading.jsonl say what was filmed and read",
            option=given[0],
            folder=arguments.recordings[0],
        )


def judge_named_film(film: Path, arguments: argparse.Namespace) -> JudgedFilm:
    """Judge the film on the command line; a DeskError names the option with which a person can help."""
    from desk.films.film import OpenQuestionError
    from desk.films.judgement import judge_film

    told, line = _hints(arguments), ProgressLine()

    def show(progress: Progress) -> None:
        line.show(progress.stage.value, f"{progress.share:4.0%}{time_left(progress.left_s)}")

    try:
        return judge_film(film, told, arguments.rules, arguments.save, show)
    except OpenQuestionError as question:
        raise DeskError(
            "{why} ({answer})", why=sentence_of(question), answer=_ANSWERS[question.ask]
        ) from question
    finally:
        line.end()


def film_lines(film: JudgedFilm, *, named: bool = False) -> list[str]:
    """Return lines on how a film's poems were named, and on the options with which to say more."""
    if film.game != "karuta":
        lines = [
            "what the players said is not heard: keep the recording (--save FOLDER), write it into "
            "declarations.jsonl there, and judge that"
        ]
        assumed = film.judged.get("dealer_assumed")
        if assumed is not None and film.judged["rounds"]:
            lines.append(
                f"player {assumed} plays first and is taken for the dealer; where another one dealt, "
                "say so: --dealer SEAT"
            )
        return lines
    doubted = [one for one in film.readings if one.doubt]
    if not doubted:
        return []
    listed = ", ".join(
        f"{one.t_ns / 1e9:.1f} s: {' or '.join(map(str, (one.poem, *one.perhaps)))}" for one in doubted
    )
    every = ",".join(str(one.poem) for one in film.readings)
    reasons = {one.doubt for one in doubted}
    lines = []
    if film.silent_why:
        lines.append(f"the sound tells nothing: {film.silent_why}")
    if "poem_assumed" in reasons:
        lines.append(
            f"poems are assumed from the cards that left ({listed}), and nothing about them is decided"
        )
    elif UNSURE in reasons and named:
        lines.append(
            f"what you named is not what is heard ({listed}), and a person decides: check --poems and --order"
        )
    elif UNSURE in reasons:
        lines.append(f"the sound leaves {len(doubted)} of {len(film.readings)} poems in doubt ({listed})")
    if reasons & {ASSUMED, UNSURE} and not named:
        lines.append(f"where you know what was read, name all poems in order: --poems {every}")
    if "reading_unplaced" in reasons:
        unplaced = ", ".join(str(one.poem) for one in doubted if one.doubt == "reading_unplaced")
        lines.append(f"the film does not tell when these poems were read: {unplaced}; a person decides them")
    return lines


def _hints(arguments: argparse.Namespace) -> FilmHints:
    from desk.films.film import MOST_PLAYERS, Seats
    from desk.films.judgement import FilmHints
    from recitation.reading.card_set import CardSetError, parse_cards

    with DeskError.wrapping("--unread: {why}", CardSetError):
        unread = parse_cards(arguments.unread or "all")
    if arguments.fps is not None and arguments.fps <= 0:
        raise DeskError(
            "--fps is how many pictures a second were filmed, above 0, got {got:g}", got=arguments.fps
        )
    players, dealer = arguments.players, arguments.dealer
    if dealer is not None and not 0 <= dealer < (players or MOST_PLAYERS):
        raise DeskError(
            "--dealer: seats are numbered 0..{last}, got {got}",
            last=(players or MOST_PLAYERS) - 1,
            got=dealer,
        )
    poems, order = (_poems(name, getattr(arguments, name)) for name in ("poems", "order"))
    return FilmHints(
        arguments.game,
        arguments.fps,
        arguments.deck,
        poems,
        order,
        unread,
        Seats(players, dealer),
        filmed_by(arguments),
    )


def _poems(name: str, text: str | None) -> tuple[int, ...]:
    if text is None:
        return ()
    try:
        poems = tuple(typed.whole(item) for item in typed.items(text))
    except ValueError:
        poems = ()
    if not poems or not all(1 <= poem <= 100 for poem in poems):
        raise DeskError(
            "--{name}: expected the numbers of poems in order, such as 17,46,3, got {text!r}",
            name=name,
            text=text,
        )
    return poems
