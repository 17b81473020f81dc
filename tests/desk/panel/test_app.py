"""The panel's addresses: pages, the event stream and its resumption, commands, evidence, and roles."""

import asyncio
import hashlib
import json
import re
import zipfile
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sse_starlette import ServerSentEvent

from desk.panel.app import create_app
from desk.panel.match.port import CommandName
from desk.panel.match.stream import messages, resume_point
from desk.panel.match.view import Views
from desk.panel.preview import PERIOD_S, Preview
from desk.panel.roles import Role, Roles
from desk.panel.words import words
from tests.desk.panel.panel_port import ScriptedPort

pytestmark = pytest.mark.live

HERE = "http://127.0.0.1:8321"
OVERRULE = {
    "name": "overrule",
    "ruling": 2,
    "taken_by": "far",
    "faults": {"near": 1, "far": 0},
    "note": "seen",
}


def visit(app: FastAPI, story: Callable[[httpx.AsyncClient], Awaitable[Any]], **options: Any) -> Any:
    """Let a browser of one page tell a story."""

    async def run() -> Any:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url=HERE, **options) as browser:
            return await story(browser)

    return asyncio.run(run())


async def with_one_ruling(port: ScriptedPort) -> None:
    target = port.card_of("near")
    await port.read(target)
    await port.rule(target, [port.touch(target, "near", 800)])


def script(page: str, name: str) -> Any:
    text = page.split(f'<script type="application/json" id="{name}">')[1].split("</script>", maxsplit=1)[0]
    return json.loads(text)


# --- pages -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("lang", "text"), [("ja", "場の札"), ("en", "Cards on the field")])
def test_the_page_speaks_the_chosen_language_and_carries_the_match(lang: str, text: str) -> None:
    page = visit(create_app(ScriptedPort()), lambda browser: browser.get("/", params={"lang": lang}))
    assert page.status_code == 200
    assert f'<html lang="{lang}"' in page.text
    assert text in page.text
    assert len(script(page.text, "view")["field"]) == 50
    assert script(page.text, "faces")["17"][0] == "からくれな"


def test_the_language_follows_the_browser_and_is_remembered() -> None:
    async def story(browser: httpx.AsyncClient) -> None:
        japanese = await browser.get("/", headers={"Accept-Language": "ja,en;q=0.5"})
        assert '<html lang="ja"' in japanese.text
        await browser.get("/", params={"lang": "en"})
        again = await browser.get("/", headers={"Accept-Language": "ja,en;q=0.5"})
        assert '<html lang="en"' in again.text

    visit(create_app(ScriptedPort()), story)


def test_a_note_cannot_break_out_of_the_page() -> None:
    async def story(browser: httpx.AsyncClient) -> None:
        await with_one_ruling(port)
        port.snapshot["poems"][-1]["note"] = "</script><script>alert(1)</script>"
        page = (await browser.get("/")).text
        assert "<script>alert" not in page
        assert script(page, "view")["latest"]["note"] == "</script><script>alert(1)</script>"

    port = ScriptedPort()
    visit(create_app(port), story)


def test_the_page_loads_nothing_from_elsewhere_and_is_light() -> None:
    async def story(browser: httpx.AsyncClient) -> None:
        page = await browser.get("/")
        assert page.headers["content-security-policy"].startswith("default-src 'self'")
        assert "://" not in page.text.replace("http://www.w3.org", "")
        sizes = [int(page.headers["content-length"])]
        waiting, loaded = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', page.text)), set()
        while waiting:
            address = waiting.pop()
            loaded.add(address)
            response = await browser.get(address)
            assert response.status_code == 200, address
            imported = re.findall(r'from "\./(\w+\.js)"', response.text)
            waiting |= {f"/static/{name}" for name in imported} - loaded
            sizes.append(int(response.headers["content-length"]))
        assert sum(sizes) < 100_000

    visit(create_app(ScriptedPort()), story)


def test_a_name_that_is_not_this_machine_is_refused() -> None:
    page = visit(
        create_app(ScriptedPort()), lambda browser: browser.get("/", headers={"Host": "evil.example"})
    )
    assert page.status_code == 400


def test_an_earlier_poem_can_be_looked_at() -> None:
    async def story(browser: httpx.AsyncClient) -> None:
        await with_one_ruling(port)
        known = await browser.get("/api/poems/2", params={"lang": "ja"})
        assert known.json()["sentence"] == "手前が自陣から取り。送り札なし。"
        assert (await browser.get("/api/poems/99")).status_code == 404

    port = ScriptedPort()
    visit(create_app(port), story)


# --- the stream ------------------------------------------------------------------------------------------
def test_resume_point() -> None:
    assert resume_point("m1.7", "m1", 12) == 7
    assert resume_point(None, "m1", 12) == 12
    assert resume_point("m0.7", "m1", 12) == 12  # another match
    assert resume_point("m1.40", "m1", 12) == 12  # a log that was restored from a backup
    assert resume_point("m1.x", "m1", 12) == 12
    assert resume_point("m1." + "9" * 5000, "m1", 12) == 12


def test_a_browser_that_lost_the_line_gets_every_event_once() -> None:
    async def story(browser: httpx.AsyncClient) -> None:
        for number in range(10):
            await port.tell("touch", payload={"number": number})
        await port.close()  # the stream ends, so that the client sees all of it
        stream = await browser.get("/api/events", headers={"Last-Event-ID": "m1.4"}, params={"after": "m1.1"})
        assert stream.headers["content-type"].startswith("text/event-stream")
        told = parse(stream.text)
        logs = [message for message in told if message["event"] == "log"]
        assert [event["seq"] for message in logs for event in message["data"]] == list(range(5, 11))
        assert all(message["id"] == f"m1.{message['data'][-1]['seq']}" for message in logs)
        assert next(message for message in told if message["event"] == "view")["data"]["seq"] == 10

    port = ScriptedPort()
    visit(create_app(port), story)


def parse(stream: str) -> list[dict[str, Any]]:
    told = []
    for block in stream.replace("\r\n", "\n").strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "data" in fields:
            told.append({**fields, "data": json.loads(fields["data"])})
    return told


def names(told: Iterable[ServerSentEvent]) -> list[str]:
    return [str(message.event) for message in told]


async def listen(port: ScriptedPort, live: Callable[[], Awaitable[None]]) -> list[ServerSentEvent]:
    """Collect what a browser is sent while `live` happens, until the match is closed."""
    told: list[ServerSentEvent] = []
    stream = messages(port, Views(port), words("en"), None, tick_s=0.05)

    async def collect() -> None:
        told.extend([message async for message in stream])

    listening = asyncio.create_task(collect())
    await asyncio.sleep(0.01)
    await live()
    await port.close()
    await asyncio.wait_for(listening, 5)
    return told


def test_a_ruling_reaches_the_page_with_its_view() -> None:
    async def live() -> None:
        await with_one_ruling(port)
        await asyncio.sleep(0.02)

    port = ScriptedPort()
    told = asyncio.run(listen(port, live))
    assert names(told)[:2] == ["view", "tick"]
    logs = [message for message in told if message.event == "log"]
    assert [event["seq"] for message in logs for event in json.loads(str(message.data))] == [1, 2]
    assert logs[-1].id == "m1.2"
    last = json.loads(str([message.data for message in told if message.event == "view"][-1]))
    assert last["latest"]["sentence"].startswith("Near takes")
    assert last["seq"] == 2


def test_a_quiet_line_ticks() -> None:
    port = ScriptedPort()
    told = asyncio.run(listen(port, lambda: asyncio.sleep(0.18)))
    assert names(told).count("tick") >= 3
    assert names(told).count("view") == 1


def test_the_next_ku_is_shown_when_it_sounds_though_nothing_else_happens() -> None:
    async def live() -> None:
        port.now_ns += 1
        await port.read(port.card_of("near"))
        await asyncio.sleep(0.02)
        port.now_ns += 1_000_000_000
        await asyncio.sleep(0.1)

    port = ScriptedPort()
    told = asyncio.run(listen(port, live))
    heard = [json.loads(str(message.data))["reading"] for message in told if message.event == "view"]
    assert [len(reading["ku"]) for reading in heard if reading] == [1, 2]


def test_the_log_does_not_give_the_poem_away() -> None:
    async def live() -> None:
        await port.read(port.card_of("near"))

    port = ScriptedPort()
    told = asyncio.run(listen(port, live))
    logged = [json.loads(str(message.data)) for message in told if message.event == "log"]
    assert logged == [
        [{"seq": 1, "kind": "poem_started", "origin": "reader", "wall": "2026-01-04T10:00:00+09:00"}]
    ]


# --- commands --------------------------------------------------------------------------------------------
def test_commands_reach_the_engine_as_they_were_meant() -> None:
    async def story(browser: httpx.AsyncClient) -> None:
        await with_one_ruling(port)
        done = await browser.post("/api/commands", json=OVERRULE)
        assert done.json() == {"seq": 3}
        command = port.commands[-1]
        assert (command.name, command.origin) == (CommandName.OVERRULE, "operator")
        assert command.args == {
            "ruling": 2,
            "taken_by": "far",
            "faults": {"near": 1, "far": 0},
            "note": "seen",
        }

    port = ScriptedPort()
    visit(create_app(port), story)


def test_a_refused_command_says_why_in_the_viewers_language() -> None:
    async def story(browser: httpx.AsyncClient) -> None:
        await with_one_ruling(port)
        refused = await browser.post("/api/commands?lang=ja", json={"name": "confirm", "ruling": 1})
        assert refused.status_code == 409
        assert refused.json()["refusal"] == "no_such_event"
        assert "判定" in refused.json()["error"]

    port = ScriptedPort()
    visit(create_app(port), story)


@pytest.mark.parametrize(
    "body",
    [
        {"name": "explode"},
        {"name": "confirm"},
        {"name": "confirm", "ruling": 0},
        {"name": "confirm", "ruling": "2"},
        {"name": "pause", "extra": 1},
        {**OVERRULE, "taken_by": "left"},
        {**OVERRULE, "faults": {"near": 3, "far": 0}},
        {**OVERRULE, "note": "x" * 501},
        {"name": "declare", "what": "applause"},
        {"name": "appeal", "ruling": 1},
    ],
)
def test_commands_of_the_wrong_shape_never_reach_the_engine(body: dict[str, Any]) -> None:
    port = ScriptedPort()
    refused = visit(create_app(port), lambda browser: browser.post("/api/commands", json=body))
    assert refused.status_code == 422
    assert port.commands == []


@pytest.mark.parametrize("name", [name.value for name in CommandName])
def test_every_command_of_the_port_can_be_asked_for(name: str) -> None:
    bodies: dict[str, dict[str, Any]] = {
        "confirm": {"ruling": 2},
        "overrule": OVERRULE,
        "revert": {"event": 2},
        "declare": {"what": "wrong_hand", "side": "near", "card": 17},
        "appeal": {"ruling": 2, "side": "far"},
        "name_poem": {"poem": 17},
        "correct_poem": {"poem": 17},
        "set_policies": {"take": "propose", "fault": "log"},
    }

    async def story(browser: httpx.AsyncClient) -> None:
        await with_one_ruling(port)
        done = await browser.post("/api/commands", json={"name": name, **bodies.get(name, {})})
        assert done.status_code == 200, done.text
        assert port.commands[-1].name.value == name

    port = ScriptedPort()
    visit(create_app(port), story)


def test_another_sites_page_cannot_command() -> None:
    async def story(browser: httpx.AsyncClient) -> None:
        foreign = await browser.post(
            "/api/commands", json={"name": "pause"}, headers={"Origin": "http://evil.example"}
        )
        assert foreign.status_code == 403
        own = await browser.post("/api/commands", json={"name": "pause"}, headers={"Origin": HERE})
        assert own.status_code == 200

    port = ScriptedPort()
    visit(create_app(port), story)
    assert len(port.commands) == 1


# --- roles -----------------------------------------------------------------------------------------------
TOKENS = {"op-token": Role.OPERATOR, "near-token": Role.NEAR}


def test_without_a_token_one_reads_and_does_not_command() -> None:
    async def story(browser: httpx.AsyncClient) -> None:
        page = (await browser.get("/")).text
        assert 'data-role="viewer"' in page
        assert 'id="overrule"' not in page
        refused = await browser.post("/api/commands", json={"name": "pause"})
        assert refused.status_code == 403

    port = ScriptedPort()
    visit(create_app(port, roles=Roles(TOKENS)), story)
    assert port.commands == []


def test_the_operators_link_opens_the_controls() -> None:
    async def story(browser: httpx.AsyncClient) -> None:
        page = await browser.get("/join/op-token")
        assert 'data-role="operator"' in page.text
        assert 'id="overrule"' in page.text
        assert "op-token" not in str(page.url)
        assert (await browser.post("/api/commands", json={"name": "pause"})).status_code == 200

    visit(create_app(ScriptedPort(), roles=Roles(TOKENS)), story, follow_redirects=True)


def test_a_player_appeals_for_the_own_side_only() -> None:
    async def story(browser: httpx.AsyncClient) -> None:
        await with_one_ruling(port)
        await browser.get("/join/near-token")
        for side, status in (("far", 403), ("near", 200)):
            answer = await browser.post("/api/commands", json={"name": "appeal", "ruling": 2, "side": side})
            assert answer.status_code == status
        assert (await browser.post("/api/commands", json=OVERRULE)).status_code == 403

    port = ScriptedPort()
    visit(create_app(port, roles=Roles(TOKENS)), story)
    assert [command.origin for command in port.commands] == ["near"]


# --- evidence --------------------------------------------------------------------------------------------
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


def test_evidence_is_handed_out_frame_by_frame_and_whole(bundle: Path) -> None:
    async def story(browser: httpx.AsyncClient) -> None:
        await with_one_ruling(port)
        manifest = (await browser.get("/evidence/2/manifest.json")).json()
        assert [frame["index"] for frame in manifest["frames"]] == [0, 1]
        for frame in manifest["frames"]:
            picture = await browser.get(f"/evidence/2/{frame['file']}")
            assert picture.headers["content-type"] == "image/jpeg"
            assert hashlib.sha256(picture.content).hexdigest() == frame["sha256"]
        whole = await browser.get("/evidence/2.zip")
        assert whole.content == bundle.read_bytes()
        assert "attachment" in whole.headers["content-disposition"]

    port = ScriptedPort(bundle=bundle)
    visit(create_app(port), story)


def test_deleted_evidence_is_gone_and_no_browser_keeps_pictures(bundle: Path) -> None:
    async def story(browser: httpx.AsyncClient) -> None:
        await with_one_ruling(port)
        for status in (200, 410):
            for name in ("/manifest.json", "/0000.jpg", ".zip", ".mp4"):
                answer = await browser.get(f"/evidence/2{name}")
                assert answer.status_code == status
                assert status == 410 or answer.headers["cache-control"] == "no-store"
            port.bundle, port.deleted = None, True

    port = ScriptedPort(bundle=bundle)
    visit(create_app(port), story)


@pytest.mark.parametrize("address", ["/evidence/9.zip", "/evidence/9/manifest.json", "/evidence/2/0009.jpg"])
def test_evidence_that_does_not_exist_is_not_found(bundle: Path, address: str) -> None:
    async def story(browser: httpx.AsyncClient) -> None:
        await with_one_ruling(port)
        assert (await browser.get(address)).status_code == 404

    port = ScriptedPort(bundle=bundle)
    visit(create_app(port), story)


@pytest.mark.parametrize("name", ["..%2f..%2fetc%2fpasswd", "%2fetc%2fpasswd", "../panel.css"])
def test_evidence_hands_out_no_other_file_of_the_disk(bundle: Path, name: str) -> None:
    async def story(browser: httpx.AsyncClient) -> None:
        await with_one_ruling(port)
        assert (await browser.get(f"/evidence/2/{name}")).status_code == 404

    port = ScriptedPort(bundle=bundle)
    visit(create_app(port), story)


def test_a_bundle_that_was_lost_or_damaged_is_not_found(bundle: Path) -> None:
    async def story(browser: httpx.AsyncClient) -> None:
        await with_one_ruling(port)
        whole = bundle.read_bytes()
        # the sizes that a ZIP file keeps with its members, its kind of packing, its flags
        for place in (whole.index(b"PK\x01\x02") + 8, whole.index(b"PK\x01\x02") + 10, 6, 8, 30, 40):
            bundle.write_bytes(whole[:place] + b"\xff" + whole[place + 1 :])
            for name in ("manifest.json", "0000.jpg"):
                assert (await browser.get(f"/evidence/2/{name}")).status_code in {200, 404}
        bundle.write_bytes(b"no archive any more")
        assert (await browser.get("/evidence/2/manifest.json")).status_code == 404
        assert (await browser.get("/evidence/2.mp4")).status_code == 404
        bundle.unlink()
        assert (await browser.get("/evidence/2/manifest.json")).status_code == 404
        assert (await browser.get("/evidence/2.zip")).status_code == 404

    port = ScriptedPort(bundle=bundle)
    visit(create_app(port), story)


# --- the live picture --------------------------------------------------------------------------------------
def test_ten_viewers_cost_one_picture_per_period() -> None:
    class Camera(ScriptedPort):
        asked = 0

        def preview(self) -> bytes | None:
            self.asked += 1
            return b"\xff\xd8 picture %d" % self.asked

    now_s = [0.0]
    camera = Camera()
    preview = Preview(camera, now_s=lambda: now_s[0])
    parts = {preview.part() for _ in range(10)}
    assert camera.asked == 1
    (part,) = parts
    assert part is not None
    assert part.endswith(b"Content-Length: 12\r\n\r\n\xff\xd8 picture 1\r\n")
    now_s[0] += PERIOD_S
    assert preview.part() != part
    assert camera.asked == 2


def test_without_a_source_there_is_no_live_picture() -> None:
    page = visit(create_app(ScriptedPort()), lambda browser: browser.get("/preview.mjpeg"))
    assert page.status_code == 404
