"""The lamp of the player who took the card, from the panel's real events to a pin and an MQTT broker."""

import asyncio
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import groupby, islice
from pathlib import Path
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory
from taker_lamp import AGAIN_S, LIT_S, GpioLamps, MqttLamps, TakerLamp, follow, main, views

from desk.panel.match.stream import messages
from desk.panel.match.view import Views
from desk.panel.words import words
from referee.facts import Touch
from referee.sides import Side
from tests.desk.panel.panel_port import MS, ScriptedPort


class WatchedLamps:
    """Lamps that remember how they were switched."""

    def __init__(self) -> None:
        self.switched: list[tuple[str, bool]] = []

    def switch(self, side: str, *, on: bool) -> None:
        self.switched.append((side, on))


async def two_takes() -> list[bytes]:
    """What the panel sends while the far player takes, a fault waits for a person, and near takes."""
    port = ScriptedPort()
    lying = {side: [placed.card for placed in port.layout.of(side) if placed.card] for side in Side}
    (near, lost, *_), (far, *_) = lying[Side.NEAR], lying[Side.FAR]
    sent: list[bytes] = []
    stream = messages(port, Views(port), words("en"), None, tick_s=60.0)
    takes = [(far, Side.FAR, None), (lost, Side.FAR, "proposed"), (near, Side.NEAR, None)]
    for number, (poem, taker, state) in enumerate(takes, start=1):
        if number == 1:
            sent.append((await anext(stream)).encode())  # the match as it is at first
        await port.rule(poem, [Touch(poem, taker, port.now_ns + 700 * MS, MS)], state=state)
        shown = re.compile(rf'"latest":\{{"seq":\d+,"order":{number},'.encode())
        while not shown.search(sent[-1]):
            sent.append((await anext(stream)).encode())
    await port.close()
    return sent


@pytest.fixture(scope="module")
def told() -> list[bytes]:
    return b"".join(asyncio.run(two_takes())).splitlines(keepends=True)


def test_the_takers_lamp_is_lit_once_a_ruling_stands(told: list[bytes]) -> None:
    lamps, waits = WatchedLamps(), list[float]()
    lamp = TakerLamp(lamps, waits.append)
    shown = list(views(told))
    states = [view["latest"] and view["latest"]["state"] for view in shown]
    assert [state for state, _ in groupby(states)] == [None, "ruled", "proposed", "ruled"]
    for view in shown:
        lamp.show(view)
        lamp.show(view)  # the same again is no news
    assert lamps.switched == [("far", True), ("far", False), ("near", True), ("near", False)]
    assert waits == [LIT_S, LIT_S]


def test_what_stood_before_the_program_began_lights_nothing(told: list[bytes]) -> None:
    lamps = WatchedLamps()
    lamp = TakerLamp(lamps, lambda _: None)
    for view in list(views(told))[-1:]:
        lamp.show(view)
    assert lamps.switched == []


def test_a_lost_line_is_followed_again(told: list[bytes], capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[str] = []

    class Panel(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"".join(told if len(asked) == 1 else []))

        def log_message(self, *_: Any) -> None:
            pass

    class StoppedError(Exception):
        """Two connections are enough."""

    def wait(seconds: float) -> None:
        if seconds == AGAIN_S and len(asked) == 2:
            raise StoppedError

    lamps = WatchedLamps()
    with HTTPServer(("127.0.0.1", 0), Panel) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        with pytest.raises(StoppedError):
            follow(f"http://127.0.0.1:{server.server_port}", TakerLamp(lamps, wait), wait)
        server.shutdown()
    assert asked == ["/api/events", "/api/events"]
    assert [side for side, on in lamps.switched if on] == ["far", "near"]


def test_a_pin_goes_up_and_down(monkeypatch: pytest.MonkeyPatch) -> None:
    factory = MockFactory()
    monkeypatch.setattr(Device, "pin_factory", factory)
    lamps = GpioLamps(near=17, far=27)
    lamps.switch("far", on=True)
    assert (factory.pin(17).state, factory.pin(27).state) == (0, 1)
    lamps.switch("far", on=False)
    assert (factory.pin(17).state, factory.pin(27).state) == (0, 0)
    factory.close()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[int]:
    server = shutil.which("nats-server")
    if server is None:
        pytest.skip("nats-server, which speaks MQTT, is not installed (apt install nats-server)")
    with socket.socket() as one, socket.socket() as other:
        for probe in (one, other):
            probe.bind(("127.0.0.1", 0))
        client, mqtt = one.getsockname()[1], other.getsockname()[1]
    conf = tmp_path / "broker.conf"
    conf.write_text(
        f'server_name: "lamps"\nlisten: "127.0.0.1:{client}"\n'
        f'jetstream {{ store_dir: "{tmp_path / "store"}" }}\nmqtt {{ listen: "127.0.0.1:{mqtt}" }}\n'
    )
    with subprocess.Popen([server, "-c", str(conf)], stderr=subprocess.DEVNULL) as running:
        for _ in islice(iter(lambda: answers(mqtt), True), 500):
            time.sleep(0.02)
        yield mqtt
        running.terminate()


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_broker_passes_on_what_the_lamps_are_told(broker: int) -> None:
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion

    heard: list[tuple[str, bytes]] = []
    ready, both = threading.Event(), threading.Event()

    def on_message(_client: Client, _data: object, message: Any) -> None:
        heard.append((message.topic, message.payload))
        if len(heard) == 2:
            both.set()

    listener = Client(CallbackAPIVersion.VERSION2)
    listener.on_message = on_message
    listener.on_subscribe = lambda *_: ready.set()
    listener.connect("127.0.0.1", broker)
    listener.subscribe("shinpan/+", qos=1)
    listener.loop_start()
    assert ready.wait(10)
    lamps = MqttLamps("127.0.0.1", broker)
    lamps.switch("near", on=True)
    lamps.switch("near", on=False)
    assert both.wait(10)
    lamps.close()
    listener.disconnect()
    listener.loop_stop()
    assert heard == [("shinpan/near", b"ON"), ("shinpan/near", b"OFF")]
    lamps.switch("near", on=False)  # a broker that has gone stops nobody


def test_a_broker_that_is_not_there_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    monkeypatch.setattr(sys, "argv", ["taker_lamp.py", "mqtt", "--port", str(port)])
    with pytest.raises(SystemExit, match=f"no broker answers at 127.0.0.1:{port}"):
        main()
