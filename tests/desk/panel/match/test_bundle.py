"""The replays of a match over HTTP: whole and picture by picture, and no other file of the disk."""

import asyncio
import hashlib
import json
import zipfile
from pathlib import Path

import httpx
import pytest

from desk.panel.app import create_app
from tests.desk.panel.panel_port import ScriptedPort
from tests.desk.panel.test_app import with_one_ruling
from tests.desk.panel.visitor import browser_of


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A bundle as the eye writes it, with two tiny frames."""
    frames = {f"{number:04d}.jpg": b"\xff\xd8 frame " + bytes([number]) for number in range(2)}
    listed = [
        {"file": name, "t_ns": 10**9 + number * 16_683_350, "t_unc_ns": 10**6, "index": number,
         "sha256": hashlib.sha256(data).hexdigest()}
        for number, (name, data) in enumerate(frames.items())
    ]  # fmt: skip
    path = tmp_path / "bundle.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in frames.items():
            archive.writestr(name, data)
        archive.writestr("manifest.json", json.dumps({"format": 1, "marks": {}, "frames": listed}))
    return path


@pytest.fixture
def port(bundle: Path) -> ScriptedPort:
    """A match with one ruling, which has this bundle."""
    port = ScriptedPort(bundle=bundle)
    asyncio.run(with_one_ruling(port))
    return port


@pytest.fixture
def browser(port: ScriptedPort) -> httpx.Client:
    return browser_of(create_app(port))


def test_evidence_is_handed_out_frame_by_frame_and_whole(bundle: Path, browser: httpx.Client) -> None:
    manifest = browser.get("/evidence/2/manifest.json").json()
    assert [frame["index"] for frame in manifest["frames"]] == [0, 1]
    for frame in manifest["frames"]:
        picture = browser.get(f"/evidence/2/{frame['file']}")
        assert picture.headers["content-type"] == "image/jpeg"
        assert hashlib.sha256(picture.content).hexdigest() == frame["sha256"]
    whole = browser.get("/evidence/2.zip")
    assert whole.content == bundle.read_bytes()
    assert "attachment" in whole.headers["content-disposition"]


def test_deleted_evidence_is_gone_and_no_browser_keeps_pictures(
    port: ScriptedPort, browser: httpx.Client
) -> None:
    for status in (200, 410):
        for name in ("/manifest.json", "/0000.jpg", ".zip", ".mp4"):
            answer = browser.get(f"/evidence/2{name}")
            assert answer.status_code == status
            assert status == 410 or answer.headers["cache-control"] == "no-store"
        port.bundle, port.deleted = None, True


@pytest.mark.parametrize(
    "name",
    [
        "9.zip",
        "9/manifest.json",
        "2/0009.jpg",
        "2/..%2f..%2fetc%2fpasswd",
        "2/%2fetc%2fpasswd",
        "2/../panel.css",
    ],
)
def test_what_is_no_evidence_is_not_found_and_no_other_file_of_the_disk_is(
    browser: httpx.Client, name: str
) -> None:
    assert (browser.get(f"/evidence/{name}")).status_code == 404


def test_a_bundle_that_was_lost_or_damaged_is_not_found(bundle: Path, browser: httpx.Client) -> None:
    whole = bundle.read_bytes()
    # the sizes that a ZIP file keeps with its members, its kind of packing, its flags
    for place in (whole.index(b"PK\x01\x02") + 8, whole.index(b"PK\x01\x02") + 10, 6, 8, 30, 40):
        bundle.write_bytes(whole[:place] + b"\xff" + whole[place + 1 :])
        for name in ("manifest.json", "0000.jpg"):
            assert (browser.get(f"/evidence/2/{name}")).status_code in {200, 404}
    bundle.write_bytes(b"no archive any more")
    assert browser.get("/evidence/2/manifest.json").status_code == 404
    assert browser.get("/evidence/2.mp4").status_code == 404
    bundle.unlink()
    assert browser.get("/evidence/2/manifest.json").status_code == 404
    assert browser.get("/evidence/2.zip").status_code == 404
