"""`shinpan listen --mic`: suggest the poem while a person reads; one key confirms it.

A suggestion is never a ruling: a poem counts as read only when the operator says so.
"""

import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from desk.log.json_lines import write_json
from desk.machine.typed_lines import typed_lines, waiting
from recitation.listening.listener import Heard, Listener, Suggestion
from recitation.listening.live_listener import Began, Ended, Guessed, LiveListener, Noticed
from recitation.playback.sound_in import Microphone
from recitation.reading.phrase import JOKA, Half
from referee.cards.poems import POEMS

HELP = "Enter confirms the poem that is suggested · a number names another one · q leaves"
_POLL_S = 0.1


def follow(microphone: Microphone, listener: Listener, json_path: Path | None = None) -> int:
    """Listen until the operator leaves. Returns: 0 if a half was heard, 1 if none was."""
    lines, desk = typed_lines(), Desk(listener)
    _say(HELP)
    try:
        with microphone:
            while desk.obey(waiting(lines)):
                for block in microphone.blocks(_POLL_S):
                    for noticed in desk.live.hear(block):
                        _say(desk.told(noticed, microphone))
                if microphone.problem != desk.problem:
                    desk.problem = microphone.problem
                    _say(
                        f"{desk.problem}\nマイクが外れました。つなぎ直してください"
                        if desk.problem
                        else f"listening again, to {microphone.name!r}\nまた聞いています"
                    )
                if microphone.overflows > desk.overflows:
                    desk.overflows = microphone.overflows
                    _say(f"sound was lost ({desk.overflows} times so far)")
    except KeyboardInterrupt:
        pass
    if json_path is not None:
        write_json(str(json_path), {"readings": desk.readings})
    return 0 if desk.readings else 1


class Desk:
    """The operator's view of the listener, and what was confirmed.

    `readings`: what was heard and confirmed, in the format of `--json`. `overflows`: number of reported
    losses of sound. `problem`: the reported problem of the microphone; None while it works.
    """

    def __init__(self, listener: Listener) -> None:
        self.live = LiveListener(listener)
        self.readings: list[dict[str, Any]] = []
        self.overflows = 0
        self.problem: str | None = None
        self._suggested: int | None = None

    def obey(self, typed: Iterable[str]) -> bool:
        """Carry out typed commands; return False if the operator wants to leave."""
        for line in typed:
            if line == "q":
                return False
            if line == "" and self._suggested is not None:
                self._confirm(self._suggested)
            elif line.isdecimal() and int(line) in POEMS:
                self._confirm(int(line))
            else:
                _say(HELP)
        return True

    def told(self, noticed: Noticed, microphone: Microphone) -> str:
        match noticed:
            case Began(sample=sample):
                if not microphone.clock.is_known:
                    return "first sound"
                t_ns, t_unc_ns = microphone.clock.instant(sample)
                return f"first sound at {t_ns / 1e9:.3f} s (within {t_unc_ns / 1e6:.1f} ms)"
            case Guessed(after_s=after_s, suggestions=suggestions):
                self._suggest(suggestions)
                return f"  after {after_s:.1f} s  {names(suggestions)}"
            case Ended(heard=heard, is_reading=is_reading):
                if not is_reading:
                    return "  no verse"
                self._note(heard)
                return f"  {heard.half or '?'}  {names(heard.suggestions)}"

    def _note(self, heard: Heard) -> None:
        self.readings.append(heard.as_json())
        if heard.half is Half.KAMI:
            self._suggest(heard.suggestions)

    def _suggest(self, suggestions: tuple[Suggestion, ...]) -> None:
        best = suggestions[0].poem if suggestions else None
        self._suggested = best if best != JOKA else None

    def _confirm(self, poem: int) -> None:
        unread: Collection[int] = self.live.listener.unread
        self.live.listener.unread = [number for number in unread if number != poem]
        self._suggested = None
        if self.readings:
            self.readings[-1]["confirmed"] = poem
        _say(f"read: {poem}  {POEMS[poem].kami}  ({len(self.live.listener.unread)} poems can still come)")


def names(suggestions: tuple[Suggestion, ...]) -> str:
    return ", ".join(f"{one.poem} ({one.confidence:.0%})" for one in suggestions) or "no suggestion"


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
