"""A reading on the terminal: it shows what is being read, and has one key for each command."""

from __future__ import annotations

import sys
import time
from queue import SimpleQueue
from typing import TYPE_CHECKING

from desk.machine.typed_lines import typed_lines, waiting
from recitation.playback.reports import (
    ASKED_FOR,
    Act,
    Announced,
    Failed,
    Memorising,
    Opened,
    PhraseStarted,
    Report,
    SoundBack,
    SoundLost,
    State,
    StateChanged,
    Underran,
)
from recitation.reading.memorisation import Announcement
from recitation.reading.phrase import JOKA, Half, Phrase
from referee.cards.poems import JOKA as JOKA_POEM
from referee.cards.poems import POEMS

if TYPE_CHECKING:
    from desk.reciter.session import ReciteSession
    from recitation.playback.player import Player

KEYS = {
    "": Act.GO,
    "p": Act.PAUSE,
    "g": Act.RESUME,
    "r": Act.REPEAT,
    "b": Act.REWIND,
    "s": Act.SKIP,
    "h": Act.STOP_AFTER_HALF,
    "x": Act.STOP,
    "a": Act.AGAIN,
}
"""Typed lines and their commands; a number 0..100 is the volume in per cent, q leaves."""
HELP = (
    "Enter next · p pause · g go on · r repeat · b back · s skip · h stop after this half · x stop · "
    "a same order again · 0-100 volume · q quit"
)
_POLL_S = 0.05
_LOST_JA = "音が出ません。音声装置をつなぎ直してください(読みは待っています)"
_UNHEARD_JA = (
    "音を出す端末がありません。スピーカーにする端末でページを開き、ボタンを押してください(読みは待っています)"
)
_BACK_JA = "また音が出ます"
_ANNOUNCED = {Announcement.TWO_MINUTES: "two minutes left", Announcement.TIME: "time: the reading begins"}
_STOP_FADE_S = 0.5
_RING_OUT_S = 2.0  # time from the reported end, when the last sample goes to the card, until it was heard


def follow(player: Player, session: ReciteSession, *, stays: bool = False) -> int:
    """Show a reading until it ends, and pass on typed commands; `session` receives all reports.

    Returns 0 if the reading ended or was left, 1 if it failed. `stays`: whether to wait for further commands
    at the end.
    """
    lines = typed_lines()
    _say(HELP)
    while True:
        for report in player.reports(_POLL_S):
            session.take(report)
            _say(told(report))
            if isinstance(report, Failed):
                return 1
            if isinstance(report, StateChanged) and report.state is State.ENDED:
                if stays:
                    _say("        a same order again · q quit")
                    continue
                time.sleep(_RING_OUT_S)
                return 0
        if not _obey(player, lines):
            return 0


def _obey(player: Player, lines: SimpleQueue[str]) -> bool:
    """Pass on typed commands; return False if the user wants to leave."""
    for line in waiting(lines):
        if line == "q":
            return False
        if line in KEYS:
            player.do(KEYS[line], _STOP_FADE_S)
        elif line.isdecimal() and int(line) <= 100:
            player.do(Act.VOLUME, int(line) / 100)
        else:
            _say(HELP)
    return True


def told(report: Report) -> str:
    """Return a report as a line of text; empty if there is nothing to say."""
    match report:
        case PhraseStarted():
            return f"{report.step + 1:3d}/{report.steps}  {_text(report.phrase)}"
        case StateChanged(state=State.WAITING):
            return "        ... waiting"
        case StateChanged(state=State.ENDED):
            return "        end of the reading"
        case Opened(silent=reason):
            return f"without sound: {reason}" if reason not in {"", ASKED_FOR} else ""
        case Memorising():
            return "        the players memorise the field (Enter: begin now)"
        case Announced(announcement=announcement):
            return "        " + _ANNOUNCED[announcement]
        case SoundLost(text=text, has_no_listener=has_no_listener):
            return f"no sound: {text} (the reading waits)\n{_UNHEARD_JA if has_no_listener else _LOST_JA}"
        case SoundBack(device=device):
            return f"sound again, from {device!r}\n{_BACK_JA}"
        case Underran(count=count):
            return f"the sound card ran dry ({count} so far)"
        case Failed(text=text):
            return text
        case _:
            return ""


def _text(phrase: Phrase) -> str:
    poem = JOKA_POEM if phrase.poem == JOKA else POEMS[phrase.poem]
    number = "joka" if phrase.poem == JOKA else f"{phrase.poem:4d}"
    return f"{number}  {poem.kami if phrase.half is Half.KAMI else poem.shimo}"


def _say(text: str) -> None:
    if text:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
