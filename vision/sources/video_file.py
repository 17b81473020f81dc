"""Recorded video as frames: gray pictures with the container's own time stamps.

MJPEG is decoded directly from its packets to gray, which leaves the colour planes undecoded, and every frame
keeps its packet's bytes as evidence; while glances are enough, frames are decoded whole only on demand. Of
every other codec the decoder's luma plane is used as it is.
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TypeAlias, cast

import av
import av.container
import cv2
import numpy as np
from av.format import Flags

from calibration.files.film_file import ForeignFormatError, open_container
from referee.complaint import sentence_of
from vision.frames.frame import EIGHTH, Colour, Frame, Glimpse, Gray
from vision.frames.luma import luma
from vision.frames.quantiser import EXPORT, Coarseness
from vision.sources.instants import Instants, in_order, slow_motion, usual_step_s
from vision.sources.instants import cuts_ns as cuts_of
from vision.sources.jpeg import decode_colour
from vision.sources.mjpeg import Packet, pictures, stamp
from vision.sources.orientation import AS_STORED, Orientation, orientation_of, stretch_of, without_exif
from vision.sources.repeated_frames import without_repeats
from vision.sources.source import Counters, Opened, SourceError

_Picture: TypeAlias = tuple[Gray | Glimpse, bytes | None, Callable[[], Colour], Orientation]
"""Brightness, a JPEG's bytes, a function that renders it in colour, and its orientation."""


class VideoError(SourceError):
    """A video cannot be read; the text says which file and what is wrong with it."""


class VideoSource(Opened):
    """A video file; each iteration plays it from its beginning.

    Raises VideoError if the file is missing, is not a video, has no video stream or no readable frame at all.

    Attributes
    ----------
    counters : what happened in the latest iteration.
    codec : name of the video codec, such as `mjpeg` or `h264`.
    width, height : size of the delivered frames in pixels, oriented as container or pictures say.
    nominal_fps : what the container claims; for people, never used as a clock.
    starts_ns : frames before this instant are not delivered; those long before it are not even decoded.
    glances : whether a glance at the next frames will most likely be enough: they are decoded whole on
        demand.
    is_enough : whether the next frames are not needed: they are counted, but not decoded or delivered.
    passed_over : frames of the latest iteration that were counted in this way.
    begins_ns, ends_ns : instants of its first and its latest frame, delivered or not; 0 before the first.
    usual_fps : frames per second if none is missing, in the file's own time; 0 if unknown.
    slow_motion : factor by which the file's own times are stretched; the frames' times are corrected.
    coarseness : how coarsely the pictures of the latest iteration were compressed.
    cuts_ns : instants at which something was cut out between two pictures; see `film_cuts`.

    Parameters
    ----------
    filmed_fps : pictures a second that were filmed, if the camera did not note it: stretched slow motion is
        timed by it. None uses the camera's note, or the file's own times.
    may_be_cut : whether the caller heeds `cuts_ns`; otherwise a film that was cut is refused.
    """

    is_live = False

    def __init__(
        self, path: str | Path, filmed_fps: float | None = None, *, may_be_cut: bool = False
    ) -> None:
        self.path = Path(path)
        self.name = str(path)
        self.counters = Counters()
        self.coarseness = Coarseness("")
        self.glances = self.is_enough = False
        self.starts_ns = self.passed_over = 0
        self.begins_ns = self.ends_ns = self._last_ns = 0
        self._packets_read = self._untimed_in_a_row = self._interlaced = 0
        if not self.path.is_file():
            raise VideoError("{film} does not exist: check the name, or copy the file there", film=self.name)
        with self._open() as container:
            stream = _camera_of(container)
            self.codec = stream.codec_context.name
            self.nominal_fps = float(stream.average_rate or stream.guessed_rate or 0)
            stamps: list[int] = []
            picture = self._first_picture(container, stamps)
            step_s = usual_step_s(container, stream, stamps)
            self.usual_fps = 1 / step_s if step_s else 0.0
            self.slow_motion = slow_motion(container, stream, step_s, filmed_fps)
            cuts_ns = cuts_of(self.path, stream.id) if "mp4" in container.format.name else ()
            self.cuts_ns = tuple(round(at_ns / self.slow_motion) for at_ns in cuts_ns)
            if self.cuts_ns and not may_be_cut:
                raise VideoError(
                    "{film} was cut at {t} s (edit list), and nobody knows how much was left out there: take "
                    "the film as it was recorded, which {command} brings back",
                    film=self.name,
                    t=f"{self.cuts_ns[0] / 1e9:.2f}",
                    command=f"ffmpeg -ignore_editlist 1 -i {path} -c copy whole.mkv",
                )
            self._stretch = stretch_of(stream)
            self._told = self._orientation(picture)
        self._held = self._told or AS_STORED
        if self.codec != "mjpeg" and picture.pts is not None:  # opening it again takes as long as many frames
            first: Gray | None = self._shown(self._held)(luma(picture))
        else:
            first = next((frame.gray for frame in self), None)
        if first is None:
            raise VideoError("{film} has no readable frame: record it again", film=self.name)
        self.height, self.width = first.shape

    @property
    def is_mirrored(self) -> bool:
        """Whether the film itself asks to be shown as a mirror image of what it stores."""
        return self._held.mirrors

    @property
    def is_interlaced(self) -> bool:
        """Whether most pictures interlace two that were taken one after the other."""
        return 2 * self._interlaced > self.counters.delivered

    def __iter__(self) -> Iterator[Frame]:
        """Iterate over the frames in the order of their time stamps.

        `t_ns` is the container's PTS; `t_unc_ns` is half a tick of the container's time base.
        """
        self.counters = Counters()
        self.coarseness = Coarseness(self.codec)
        self.is_enough, self.passed_over, self.begins_ns, self.ends_ns = False, 0, 0, 0
        self._held, self._untimed_in_a_row, self._interlaced = self._told or AS_STORED, 0, 0
        try:
            for frame in without_repeats(self._frames(), self.counters):
                yield frame
                self.counters.delivered += 1
        except VideoError:
            raise
        except SourceError as error:
            what = sentence_of(error)
            raise VideoError("{film} cannot be read: {why}", film=self.name, why=what) from error

    def _frames(self) -> Iterator[Frame]:
        index = 0
        with self._open() as container:
            stream = _camera_of(container)
            tick = Fraction(stream.time_base or 0) / Fraction(self.slow_motion).limit_denominator(1000)
            t_unc_ns = max(1, math.ceil(tick * 10**9 / 2))
            wanted, context = self._wanted(container, tick), stream.codec_context
            zero = _zero(container)
            if self.starts_ns:
                _wind_on(container, stream, zero + int(Fraction(self.starts_ns, 10**9) / tick))

            def instant_of(pts: int) -> int:
                return round((pts - zero) * tick * 10**9)

            if self.codec == "mjpeg":
                play = self._packets(context, wanted, tick)
            else:
                of_decoding = container.format.name == "avi" and bool(context.has_b_frames)
                decoded = self._decoded(context, wanted, Instants(of_decoding=of_decoding), instant_of)
                play = in_order(decoded, self._leave_out)
            for pts, (gray, jpeg, render, held) in play:
                if self.is_enough:
                    continue  # it was decoded before
                t_ns = instant_of(pts)
                if t_ns < self.starts_ns:
                    continue
                self.begins_ns, self.ends_ns = self.begins_ns if index else t_ns, t_ns
                turn = self._shown(held)
                turned = gray.turned(turn) if isinstance(gray, Glimpse) else turn(gray)
                # evidence must show exactly what was examined
                kept = jpeg if self._stretch == (1.0, 1.0) and held == AS_STORED else None
                yield Frame(turned, t_ns, t_unc_ns, index, kept, partial(_rendered, render, turn))
                self._untimed_in_a_row = 0
                index += 1
        if self.is_enough:  # some earlier ones were left in the decoder
            self.passed_over = self._packets_read - index - self.counters.damaged - self.counters.untimed
            self.ends_ns = max(self.ends_ns, self._last_ns)
        if index == 0 and self.counters.untimed and not self._last_ns:
            raise VideoError(
                "{film} has no time stamps (PTS): remux it, for example into Matroska", film=self.name
            )
        # share of the pictures: a slip of the writing program; with more, its other times are doubtful
        most_untimed = 0.02
        if self.counters.untimed > most_untimed * (index + self.passed_over):
            raise self._jumping()

    def _jumping(self) -> VideoError:
        return VideoError(
            "the times of {film} repeat or jump back, {n} pictures have none of their own: record or export "
            "the film anew, in one piece",
            film=self.name,
            n=self.counters.untimed,
        )

    def _leave_out(self) -> None:
        self.counters.untimed += 1
        self._untimed_in_a_row += 1
        most_in_a_row = 24  # a second of film: its times have jumped back
        if self._untimed_in_a_row > most_in_a_row and self.ends_ns > self.begins_ns:
            raise self._jumping()

    def _open(self) -> av.container.InputContainer:
        try:
            container = open_container(self.path)
        except ForeignFormatError as error:
            raise VideoError(
                "{film} is in no format of films that is opened here: convert it to MP4 or Matroska",
                film=self.name,
            ) from error
        except (av.FFmpegError, OSError) as error:
            if not self.path.stat().st_size:
                raise VideoError("{film} is empty: copy it anew from the camera", film=self.name) from error
            raise VideoError(
                "{film} cannot be opened as a video ({why}): copy it anew from the camera; a film that was "
                "cut off while it was written has no index",
                film=self.name,
                why=sentence_of(error),
            ) from error
        if not container.streams.video:
            container.close()
            raise VideoError("{film} holds no video stream: name the file of the camera", film=self.name)
        if _camera_of(container).codec_context is None:
            container.close()
            raise VideoError(
                "{film} is written in a codec that is not known here: convert it to H.264", film=self.name
            )
        if container.format.flags & cast("int", Flags.no_timestamps.value):
            container.close()
            raise VideoError(
                "{film} holds bare pictures and no times ({format}): write it into Matroska or MP4 at the "
                "rate at which it was filmed",
                film=self.name,
                format=container.format.name,
            )
        return container

    def _first_picture(self, container: av.container.InputContainer, stamps: list[int]) -> av.VideoFrame:
        """Return the first picture, and add the stamps of the packets read for it to `stamps`."""
        stream = _camera_of(container)
        for packet in container.demux(stream):
            stamps += [] if (at := stamp(packet)) is None else [at]
            bare = without_exif(packet) if self.codec == "mjpeg" and packet.size else packet
            try:
                for picture in stream.codec_context.decode(bare if bare.size else None):
                    return picture
            except av.FFmpegError:
                continue
        raise VideoError("{film} has no readable frame: record it again", film=self.name)

    def _orientation(self, picture: av.VideoFrame) -> Orientation | None:
        try:
            return orientation_of(picture)
        except SourceError as error:
            what = sentence_of(error)
            raise VideoError("{film} cannot be shown: {why}", film=self.name, why=what) from error

    def _shown(self, held: Orientation) -> Callable[[Gray], Gray]:
        """Return a function that makes a stored picture upright, with square pixels."""
        stretch = self._stretch
        if stretch == (1.0, 1.0):
            return held

        def shown(gray: Gray) -> Gray:
            size = round(gray.shape[1] * stretch[0]), round(gray.shape[0] * stretch[1])
            return held(np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_CUBIC), np.uint8))

        return shown

    def _wanted(self, container: av.container.InputContainer, tick: Fraction) -> Iterator[Packet]:
        """Yield the film's packets until no more frames are needed; the others are counted."""
        self._packets_read, latest, zero = 0, 0, _zero(container)
        for packet in container.demux(_camera_of(container)):
            if packet.size:
                self._packets_read, latest = self._packets_read + 1, max(latest, stamp(packet) or 0)
            if not self.is_enough and (packet.size or packet.dts is None):  # an empty one would end decoding
                yield packet
        self._last_ns = round((latest - zero) * tick * 10**9)

    def _packets(
        self, context: av.VideoCodecContext, packets: Iterator[Packet], tick: Fraction
    ) -> Iterator[tuple[int, _Picture]]:
        of_blocks = (
            context.width % EIGHTH == 0 and context.height % EIGHTH == 0 and self._stretch == (1.0, 1.0)
        )
        filled = (packet for packet in packets if packet.size and not packet.is_discard)
        stamped = in_order(((stamp(each), each) for each in filled), self._leave_out)
        timed = (packet for _, packet in stamped if not self.is_enough)
        if self._told is not None:
            timed = (without_exif(packet) for packet in timed)
        # nothing comes in and leaves again within this: three pictures of 120 a second are left out
        moment_s = 0.04
        moment = int(moment_s / tick) if tick else 0
        for packet, jpeg, gray in pictures(timed, lambda: self.glances and of_blocks, moment):
            at = stamp(packet)
            if gray is None or at is None:
                self.counters.damaged += 1
                continue
            yield at, (gray, jpeg, partial(decode_colour, jpeg), self._held)

    def _decoded(
        self,
        context: av.VideoCodecContext,
        packets: Iterator[Packet],
        instants: Instants[av.VideoFrame],
        instant_of: Callable[[int], int],
    ) -> Iterator[tuple[int | None, _Picture]]:
        context.options = EXPORT
        context.thread_type = "AUTO"
        context.thread_count = 2  # enough to keep up, with few frames in flight
        is_sound = True
        for packet in packets:
            try:
                if packet.size and not packet.is_discard:
                    instants.feed(packet.pts, packet.dts)
                shown = [each for got in packet.decode() for each in instants.show(got, got.pts)]
                if not packet.size:
                    shown += instants.rest()
            except av.FFmpegError:
                is_sound, shown = False, []
                self.counters.damaged += 1
                instants.lose()
            for picture, at in shown:
                # what is painted over damage looks real, and so does everything predicted from it
                is_sound = not picture.is_corrupt and (is_sound or picture.key_frame)
                self._held = self._orientation(picture) or self._held
                self._interlaced += picture.interlaced_frame
                if is_sound:
                    self.coarseness.note(picture, self.ends_ns if at is None else instant_of(at), packet.size)
                    yield at, (luma(picture), None, partial(_colour, picture), self._held)
                else:
                    self.counters.damaged += 1


def _camera_of(container: av.container.InputContainer) -> av.VideoStream:
    """Return the stream that players would show, since a file may also hold a cover or a small preview."""
    best = container.streams.best("video")
    return best if isinstance(best, av.VideoStream) else container.streams.video[0]


def _zero(container: av.container.InputContainer) -> int:
    """Return the stamp at which film times begin, in ticks: 0, unless a 26-hour clock wrapped around."""
    begins = _camera_of(container).start_time or 0
    return min(0, begins) if container.format.flags & cast("int", Flags.ts_discont.value) else 0


def _wind_on(container: av.container.InputContainer, stream: av.VideoStream, to_tick: int) -> None:
    """Go to the last key frame before a stamp; a file may have no index."""
    earlier = Fraction(1)  # seconds: pictures just after a jump may depend on some before it
    try:
        container.seek(max(0, to_tick - int(earlier / Fraction(stream.time_base or 1))), stream=stream)
    except av.FFmpegError:
        container.seek(0)


def _rendered(render: Callable[[], Colour], turn: Callable[[Gray], Gray]) -> Colour:
    return turn(render())


def _colour(picture: av.VideoFrame) -> Colour:
    return picture.to_ndarray(format="bgr24").astype(np.uint8, copy=False)
