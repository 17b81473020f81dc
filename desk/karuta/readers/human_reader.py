"""A person who reads, heard through a microphone. The ear has a thread of its own."""

import math
import threading
from collections.abc import Collection, Sequence
from queue import SimpleQueue

from desk.errors import DeskError
from desk.karuta.engine.events import DeskEvent
from desk.karuta.readers.reader import Reader, Sound
from desk.karuta.readers.recital import HeardPoem, Recital
from recitation.listening.listener import ONSET_UNC_S, Listener
from recitation.listening.live_listener import LiveListener, Noticed, VerseSoFar
from recitation.playback.lasting_stream import NoSoundError
from recitation.playback.sound_in import SoundIn
from recitation.sound.recent_sound import RecentSound, TimedSound
from referee.karuta.declarations import Misread
from referee.karuta.flow.events import Event, MemoriseStarted, Pause, Resume
from referee.karuta.flow.follow_ups import FollowUp, MatchEnded, ReadJoka, ReadPoem

_POLL_S = 0.05


class HumanReader(Reader):
    """Listens to a person; see `desk.karuta.readers.reader.Reader`.

    `microphone`: closed by `close`; DeskError if it cannot be opened. `picture_unc_ns`: 95 % half width of
    the offset between the stamps of pictures and sound.
    """

    warning = "reader_unheard"
    takes_names = True

    def __init__(self, microphone: SoundIn, recital: Recital, picture_unc_ns: int = 0) -> None:
        self._microphone = microphone
        self._recital = recital
        self._picture_unc_ns = picture_unc_ns
        self._listener = Listener()
        self._is_awaited = True
        self._noticed: SimpleQueue[tuple[Noticed, int, int, VerseSoFar]] = SimpleQueue()
        self._said: list[Sound] = []
        self._recent = RecentSound()
        self._ending = threading.Event()
        with DeskError.wrapping("", NoSoundError):
            microphone.__enter__()
        self._thread = threading.Thread(target=self._listen, name="ear", daemon=True)
        self._thread.start()

    @property
    def problem(self) -> str | None:
        return self._microphone.problem

    @property
    def waits_for_name(self) -> bool:
        return self._recital.waits_for_name

    def follow(self, event: Event | FollowUp | DeskEvent, unread: Collection[int]) -> None:
        self._listener.unread = tuple(unread)
        match event:
            case MemoriseStarted() | MatchEnded():
                self._is_awaited = False
            case ReadJoka() | ReadPoem(poem=None):
                self._is_awaited = True
            case ReadPoem() | Misread():
                self._is_awaited = True
                self._recital.await_poem()
            case Pause():
                self._recital.is_paused = True
            case Resume():
                self._recital.is_paused = False
                self._recital.await_poem()
            case _:
                pass

    def sounds(self) -> Sequence[Sound]:
        said, self._said = self._said, []
        while not self._noticed.empty():  # nobody else takes from it
            noticed = self._noticed.get()
            if self._is_awaited:
                said += self._recital.take(*noticed)
        return said

    def name(self, poem: int, now_ns: int) -> None:
        self._said += self._recital.name(poem, now_ns)

    def renamed(self, poem: int) -> HeardPoem | None:
        return self._recital.renamed(poem)

    def sound(self, from_ns: int, to_ns: int) -> TimedSound | None:
        return self._recent.between(from_ns, to_ns)

    def close(self) -> None:
        self._ending.set()
        self._thread.join()
        self._microphone.__exit__(None, None, None)

    # --- in the ear's own thread -------------------------------------------------------------------------

    def _listen(self) -> None:
        live, at, lost = LiveListener(self._listener), 0, self._microphone.overflows
        while not self._ending.is_set():
            blocks = self._microphone.blocks(_POLL_S)
            if self._microphone.overflows != lost:
                lost = self._microphone.overflows
                live = LiveListener(self._listener, begins_at=at)  # a verse heard in part is dropped
            for block in blocks:
                if self._microphone.clock.is_known:
                    self._recent.append(TimedSound(block, *self._microphone.clock.instant(at)))
                at += len(block)
                for noticed in live.hear(block):
                    self._note(noticed, live.verse)

    def _note(self, noticed: Noticed, heard: VerseSoFar) -> None:
        clock = self._microphone.clock
        if clock.is_known:
            t_ns, clock_unc_ns = clock.instant(noticed.sample)
            unc_ns = math.hypot(clock_unc_ns, ONSET_UNC_S * 1e9, self._picture_unc_ns)
            self._noticed.put((noticed, t_ns, round(unc_ns), heard))
