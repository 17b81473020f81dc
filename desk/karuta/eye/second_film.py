"""The second camera's video of a recording, shown to its witness in step with the first video."""

from collections.abc import Iterator
from typing import Any

from calibration.clocks.latency import Offset
from calibration.failure import FailedEstimation
from vision.frames.frame import Frame
from vision.recordings.recording import SecondVideo
from vision.sources.video_file import VideoSource
from vision.witnesses.play_signals import PlaySignals
from vision.witnesses.second_camera import SecondWitness


class SecondFilm:
    """Finds the offset between the clocks of two videos, and plays the second beside the first.

    `witness`: watches the second video; None if the offset is not known. `first`: played once if the offset
    has to be found.
    """

    def __init__(self, video: SecondVideo, first: VideoSource) -> None:
        source = VideoSource(video.path, video.filmed_fps)
        self._offset = _offset(video, first, source)
        self.witness: SecondWitness | None = None
        self._waiting: Frame | None = None
        self._frames: Iterator[Frame] = iter(())
        self._source = source
        if isinstance(self._offset, Offset):
            self.witness = SecondWitness(self._offset)
            self._frames = iter(source)

    def show_until(self, t_ns: int) -> None:
        """Show the witness all frames up to an instant on the first camera's clock."""
        if self.witness is None:
            return
        until_ns = t_ns + self.witness.offset.mean_ns
        while (frame := self._waiting or next(self._frames, None)) is not None:
            if frame.t_ns > until_ns:
                self._waiting = frame
                return
            self._waiting = None
            second_ns = 1_000_000_000
            if not self._source.coarseness.is_too_coarse(frame.t_ns - second_ns, frame.t_ns):
                self.witness.feed(frame)  # a frame compressed too coarsely is skipped: it proves nothing

    def told(self) -> dict[str, Any]:
        if self.witness is None:
            return {"poems": 0, "problem": str(self._offset)}
        offset = self.witness.offset
        return {
            "poems": self.witness.poems,
            "problem": self.witness.problem,
            "offset_ms": round(offset.mean_ns / 1e6, 3),
            "offset_unc_ms": round(offset.unc_ns / 1e6, 3),
            "offset_n": offset.n,
        }


def _offset(video: SecondVideo, first: VideoSource, second: VideoSource) -> Offset | FailedEstimation:
    if video.offset_ns is not None:
        return Offset(video.offset_ns, video.offset_unc_ns, video.offset_unc_ns / 1.96, 1)
    signals = PlaySignals(), PlaySignals()
    for source, noted in zip((first, second), signals, strict=True):
        for frame in source:
            noted.feed(frame)
    return signals[0].offset_of(signals[1])
