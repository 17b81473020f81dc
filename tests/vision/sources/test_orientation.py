"""Pictures are held as film, picture or EXIF say, mirrored ones too: near never becomes far."""

import threading
import time
from fractions import Fraction
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from tests.vision.sources.written_video import write_video
from vision.frames.frame import Frame, Gray
from vision.sources.jpeg import decode_gray, glimpse_of
from vision.sources.network.network_stream import StreamFeed
from vision.sources.source_address import open_source
from vision.sources.video_file import VideoError, VideoSource

UNIT, LAST = 65536, 1 << 30
PIXELS = {"mjpeg": "yuvj420p", "libx264": "yuv420p"}
TRANSPOSED = [[0, y, 0, x, 0, 0, 0, 0, LAST] for x in (UNIT, -UNIT) for y in (UNIT, -UNIT)]
STRAIGHT = [[x, 0, 0, 0, y, 0, 0, 0, LAST] for x in (UNIT, -UNIT) for y in (UNIT, -UNIT)]
EIGHT = STRAIGHT + TRANSPOSED
EXIF = {1: STRAIGHT[0], 2: STRAIGHT[2], 3: STRAIGHT[3], 4: STRAIGHT[1],
        5: TRANSPOSED[0], 6: TRANSPOSED[2], 7: TRANSPOSED[3], 8: TRANSPOSED[1]}  # fmt: skip
"""What the eight orientations of EXIF do, as display matrices."""


def stored() -> Gray:
    gray = np.full((48, 64), 40, np.uint8)
    gray[8:16, 8:48], gray[8:40, 8:16] = 210, 210  # an upper left corner: no two of the eight look alike
    return gray


def shown(matrix: list[int]) -> Gray:
    """Return the stored picture as a point (x, y) of it is shown at (a x + c y, b x + d y)."""
    a, b, c, d = (int(np.sign(matrix[place])) for place in (0, 1, 3, 4))
    rows, columns = np.indices((48, 64))
    x, y = a * columns + c * rows, b * columns + d * rows
    picture = np.zeros((int(np.ptp(y)) + 1, int(np.ptp(x)) + 1), np.uint8)
    picture[y - y.min(), x - x.min()] = stored()
    return picture


def looks(frame: Gray, wanted: Gray) -> bool:
    return frame.shape == wanted.shape and bool(((frame > 120) == (wanted > 120)).mean() > 0.97)


def film(path: Path, codec: str, matrix: list[int] | None = None) -> Path:
    pictures = [(33 * number, stored()) for number in range(3)]
    return write_video(path, pictures, codec, pixels=PIXELS[codec], matrix=matrix)


def jpeg(orientation: int, order: str = "big") -> bytes:
    """Return the stored picture as a camera writes it that says how it was held."""
    _, packed = cv2.imencode(".jpg", stored(), [cv2.IMWRITE_JPEG_QUALITY, 95])
    numbers = [(42, 2), (8, 4), (1, 2), (0x0112, 2), (3, 2), (1, 4), (orientation, 2), (0, 2), (0, 4)]
    tiff = b"".join(number.to_bytes(size, order) for number, size in numbers)  # type: ignore[arg-type]
    exif = b"Exif\0\0" + (b"MM" if order == "big" else b"II") + tiff
    data = packed.tobytes()
    return data[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + data[2:]


@pytest.mark.parametrize("matrix", EIGHT)
@pytest.mark.parametrize(
    ("name", "codec"), [("film.mp4", "libx264"), ("film.mkv", "libx264"), ("film.mov", "mjpeg")]
)
def test_a_film_is_held_as_its_display_matrix_says(
    tmp_path: Path, name: str, codec: str, matrix: list[int]
) -> None:
    source = VideoSource(film(tmp_path / name, codec, matrix))
    wanted = shown(matrix)
    source.glances = codec == "mjpeg"
    frames = list(source)
    assert len(frames) == 3
    assert (source.height, source.width) == wanted.shape
    assert source.is_mirrored == (np.linalg.det(np.reshape(matrix, (3, 3)) / UNIT) < 0)
    for frame in frames:
        assert looks(frame.gray, wanted)
        assert looks(frame.colour()[..., 1], wanted)
        assert frame.eighth().shape == (wanted.shape[0] // 8, wanted.shape[1] // 8)
        # evidence shows what was looked at
        if frame.jpeg is not None:
            kept = cv2.imdecode(np.frombuffer(frame.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
            assert looks(np.asarray(kept, np.uint8), wanted)


@pytest.mark.parametrize("orientation", EXIF)
@pytest.mark.parametrize("order", ["big", "little"])
def test_photos_and_jpegs_of_a_film_are_held_as_their_exif_says(
    tmp_path: Path, orientation: int, order: str
) -> None:
    wanted, data = shown(EXIF[orientation]), jpeg(orientation, order)
    whole, glimpse = decode_gray(data), glimpse_of(data)
    assert whole is not None and glimpse is not None  # noqa: PT018
    assert looks(whole, wanted)
    assert looks(glimpse.gray(), wanted)
    assert glimpse.glance.shape == (wanted.shape[0] // 8, wanted.shape[1] // 8)
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "1.jpg").write_bytes(data)
    (frame,) = open_source(str(tmp_path / "photos"))
    assert isinstance(frame, Frame)
    assert looks(frame.gray, wanted)
    assert looks(frame.colour()[..., 1], wanted)
    for path, held in ((tmp_path / "plain.mkv", wanted), (tmp_path / "told.mov", shown(STRAIGHT[2]))):
        with av.open(str(path), "w") as container:  # what the film says goes before what its pictures say
            stream = container.add_stream("mjpeg", rate=30)
            assert isinstance(stream, av.VideoStream)
            stream.height, stream.width, stream.pix_fmt = 48, 64, "yuvj420p"
            if path.suffix == ".mov":
                stream.set_display_matrix(STRAIGHT[2])  # type: ignore[attr-defined, unused-ignore]
            container.start_encoding()
            for number in range(2):
                packet = av.Packet(data)
                packet.pts = packet.dts = number * 512
                packet.time_base, packet.stream, packet.is_keyframe = Fraction(1, 15360), stream, True
                container.mux(packet)
        frames = list(VideoSource(path))
        assert len(frames) == 2
        assert all(looks(frame.gray, held) for frame in frames)


def test_a_film_that_is_to_be_shown_aslant_is_refused(tmp_path: Path) -> None:
    half = round(UNIT * np.sqrt(0.5))
    path = film(tmp_path / "aslant.mp4", "libx264", [half, half, 0, -half, half, 0, 0, 0, LAST])
    with pytest.raises(VideoError, match=r"aslant\.mp4 cannot be shown: .* in quarter turns"):
        VideoSource(path)


@pytest.mark.parametrize("matrix", [*STRAIGHT, TRANSPOSED[0]])
def test_a_film_of_jpegs_that_a_server_sends_is_held_as_its_display_matrix_says(
    tmp_path: Path, matrix: list[int]
) -> None:
    film(tmp_path / "film.mov", "mjpeg", matrix)
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        feed = StreamFeed(f"http://127.0.0.1:{server.server_port}/film.mov", "film", time.perf_counter_ns)
        picture = feed.read().picture
        feed.close()
        server.shutdown()
    gray = decode_gray(picture) if isinstance(picture, bytes) else picture
    assert gray is not None
    assert looks(gray, shown(matrix))
