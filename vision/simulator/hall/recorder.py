"""Write a simulated match as a recording: the shared exam format."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.simulator.drawing.film_file import Codec, Encoding, rate_in_toml, write_film
from vision.simulator.drawing.sprites import Pixels
from vision.simulator.drawing.style import chosen
from vision.simulator.hall.match import SimulatedMatch
from vision.simulator.hall.second_camera import SecondCamera

RATE_HZ = 48_000


def render_sound(
    truth: dict[str, Any], seconds: float, seed: int, *, distance_m: tuple[float, float] = (0.7, 1.3)
) -> NDArray[np.float32]:
    """Return what a microphone beside the field hears of a match.

    Returns: shape (samples,), 48 kHz, -1..1.

    `truth`: that of the match, as `truth.json` holds it. `seconds`: length of the sound; its first sample is
    the video's time 0. `distance_m`: range of the microphone's distance from each contact.
    """
    dice = np.random.default_rng([seed, 77])
    wave = dice.normal(0, 4e-4, round(seconds * RATE_HZ))
    sound_mps = 343.0
    # Contacts of one player within this time belong to one stroke: only the first is a full blow.
    sweep_ms = 120.0
    for poem in truth["poems"]:
        earlier: dict[str, float] = {}
        for touch in sorted(poem["touches"], key=lambda each: each["t_ms"]):
            since_ms = touch["t_ms"] - earlier.get(touch["player"], -1e9)
            earlier[touch["player"]] = touch["t_ms"]
            quieter_db = 0.0 if since_ms > sweep_ms else dice.uniform(4, 12)
            loudness = 0.3 * 10 ** (-(quieter_db + dice.uniform(0, 8)) / 20)
            late_s = dice.uniform(*distance_m) / sound_mps
            _strike(wave, touch["t_ms"] / 1e3 + late_s, loudness, dice)
    return np.clip(wave, -1, 1).astype(np.float32)


def _strike(wave: NDArray[np.float64], t_s: float, loudness: float, dice: np.random.Generator) -> None:
    """Add a hand's blow: a click of skin on card, the board's thud, and a rattle afterwards."""
    begin = round(t_s * RATE_HZ)
    length = min(len(wave) - begin, RATE_HZ // 8)
    if begin < 0 or length <= 0:
        return
    since_s = np.arange(length) / RATE_HZ
    rise = 1 - np.exp(-since_s / 1.5e-4)
    click = dice.normal(0, 1, length) * np.exp(-since_s / dice.uniform(0.002, 0.006))
    thud_hz = dice.uniform(90, 180)
    thud = 1.5 * np.sin(2 * np.pi * thud_hz * since_s) * np.exp(-since_s / 0.03)
    slide = 0.04 * dice.normal(0, 1, length) * np.exp(-since_s / 0.06)
    wave[begin : begin + length] += loudness * rise * (click + thud + slide) / 2


_ENCODINGS: Final[Mapping[str, Encoding]] = {
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
    encoding = chosen("codec", codec, _ENCODINGS)
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
