"""`shinpan judge` of a filmed Koi-Koi table: the whole way from pixels to minutes, and clear complaints."""

import json
from pathlib import Path

import av
import pytest

from desk.commands.cli import main
from referee.cards.hanafuda import by_index
from tests.vision.painted_hanafuda import painted_table
from vision.plane.printed_table import koikoi_table
from vision.simulator.art.hanafuda import drawn_deck
from vision.simulator.cardtable.recording import write_deck_folder

PRACTICE = Path(__file__).parents[4] / "shared" / "practice_koikoi"
HEAD = 'format = 1\ngame = "koikoi"\nvideo = "video.mkv"\nplayers = 2\ndealer = 0\n[deck]\nenrol = "deck"\n'


def kind(card: int) -> tuple[int, str]:
    return by_index(card).month, by_index(card).category


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.skipif(not PRACTICE.is_dir(), reason="needs the practice recordings in ../shared")
def test_a_round_with_a_fault_is_judged_as_it_was_played(tmp_path: Path) -> None:
    folder, out = PRACTICE / "round-02", tmp_path / "minutes.json"
    assert main(["judge", str(folder), "--json", str(out)]) == 0
    judged = json.loads(out.read_text("utf-8"))
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    moves = [event for event in judged["events"] if event["kind"] in {"play", "draw"}]
    expected = [event for event in truth["events"] if event["kind"] != "deal"]
    for seen, event in zip(moves, expected, strict=True):
        assert (seen["kind"], seen["player"], kind(seen["card"])) == (
            event["kind"],
            event["player"],
            kind(event["card"]),
        )
        assert sorted(map(kind, seen["taken"])) == sorted(map(kind, event["taken"]))
        assert abs(seen["t_ms"] - event["t_ms"]) < 3000
    (flag,) = judged["rounds"][0]["flags"]
    assert flag["id"] == "extra_card_taken"
    first, last = truth["fault"]["window_ms"]
    assert first <= flag["t_ms"] <= last
    for table in truth["tables"]:
        now = [one for one in judged["tables"] if table["t0_ms"] <= one["t_ms"] <= table["t1_ms"]]
        assert len(now) == 1
        assert sorted(map(kind, now[0]["field"])) == sorted(map(kind, table["field"]))
        assert [len(pile) for pile in now[0]["captures"]] == [len(pile) for pile in table["captures"]]
    assert judged["stats"]["cpu_s_per_video_s"] > 0


@pytest.mark.parametrize(
    ("head", "complaint"),
    [
        (HEAD, "[table]"),
        (HEAD + "[table]\nsize = [800]\n", "expected 2 numbers"),
        (HEAD + "[table]\nsize = [800, 560]\ncapture = [[1, 2, 3, 4], [1, 2, 3, 4]]\n", "deck"),
        ('rules = "/etc/house.toml"\n' + HEAD + koikoi_table(2).to_toml(), "'/etc/house.toml' lies outside"),
        (HEAD.replace('"deck"', '"../deck"') + koikoi_table(2).to_toml(), "'../deck' lies outside"),
    ],
)
def test_what_a_recording_lacks_is_said(
    head: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "video.mkv").write_bytes(b"")
    (tmp_path / "recording.toml").write_text(head, encoding="utf-8")
    assert main(["judge", str(tmp_path)]) == 2
    assert complaint in capsys.readouterr().err


def test_a_film_without_a_deal_ends_with_a_hint_and_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_deck_folder(drawn_deck(), tmp_path / "deck")
    (tmp_path / "recording.toml").write_text(HEAD + koikoi_table(2).to_toml(), "utf-8")
    picture = painted_table()  # nobody has dealt
    with av.open(str(tmp_path / "video.mkv"), "w") as file:
        stream = file.add_stream("mjpeg", rate=10)
        stream.width, stream.height, stream.pix_fmt = 1280, 720, "yuvj420p"
        for _ in range(8):
            file.mux(stream.encode(av.VideoFrame.from_ndarray(picture, "bgr24")))
        file.mux(stream.encode())
    out = tmp_path / "minutes.json"
    assert main(["judge", str(tmp_path), "--json", str(out)]) == 1
    assert "no round was judged" in capsys.readouterr().err
    assert json.loads(out.read_text("utf-8"))["rounds"] == []
