"""Write a simulated match as a recording: the shared exam format."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from vision.simulator.drawing.film_file import Codec, Encoding, encoding_of, rate_in_toml, write_film
from vision.simulator.drawing.sprites import Pixels
from vision.simulator.hall.match import SimulatedMatch
from vision.simulator.hall.second_camera import SecondCamera
from vision.simulator.hall.sound import RATE_HZ, render_sound

_ENCODINGS: Final[Mapping[Codec, Encoding]] = {
    "mjpeg": Encoding("mjpeg", "yuvj420p", {"qmin": "2", "qmax": "4"}),
    "h264": Encoding("libx264", "yuv420p", {"crf": "18", "preset": "veryfast"}),
}


def write_recording(
    match: SimulatedMatch,
    folder: Path | str,
    codec: Codec = "mjpeg",
    *,
    with_sound: bool = False,
    second: SecondCamera | None = None,
    pictures: Iterable[tuple[int, Pixels]] | None = None,
) -> Path:
    """Render a match into `folder`: recording.toml, video.mkv, reading.jsonl and truth.json.

    With sound, `sound.flac` holds what a microphone beside the field hears of the hands. With a second
    camera, `second.mkv` holds its film, on its own clock. `pictures` are the match's, drawn by another hand,
    instants in nanoseconds. The video's picture times are the true ones, rounded to the container's
    milliseconds. Raises ValueError if the codec is not among those offered.
    """
    encoding = encoding_of(codec, _ENCODINGS)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    shown = match.pictures() if pictures is None else pictures
    write_film(shown, folder / "video.mkv", encoding, match.fps, match.size)
    head = ['format = 1\ngame = "karuta"\nvideo = "video.mkv"']
    tables = [f"[camera]\nfps = {rate_in_toml(match.fps)}"]
    if with_sound:
        last_ms = max(touch["t_ms"] for poem in match.truth["poems"] for touch in [*poem["touches"], poem])
        wave = render_sound(match.truth, last_ms / 1e3 + 2.0, seed=0)
        import soundfile  # noqa: PLC0415 - a match that is only shown needs no sound file

        soundfile.write(folder / "sound.flac", wave, RATE_HZ)
        head.append('audio = "sound.flac"')
    if second is not None:
        write_film(match.filmed_by(second), folder / "second.mkv", encoding, second.fps, second.size)
        head.append('second = "second.mkv"')
        tables.append(f"[second_camera]\nfps = {rate_in_toml(second.fps)}")
    text = "\n".join(head) + "\n\n" + "\n\n".join(tables) + "\n"
    (folder / "recording.toml").write_text(text, encoding="utf-8")
    lines = [json.dumps({"t_ms": reading.t_ms, "poem": reading.poem}) for reading in match.readings]
    (folder / "reading.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (folder / "truth.json").write_text(json.dumps(match.truth, ensure_ascii=False), encoding="utf-8")
    return folder
