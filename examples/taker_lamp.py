"""A lamp on each side of the mat that lights up for whoever takes the card.

    uv run shinpan serve 0                                          # the desk
    uv run --with paho-mqtt python examples/taker_lamp.py mqtt --broker 192.168.1.20
    uv run --with gpiozero --with lgpio python examples/taker_lamp.py gpio --near 17 --far 27

The panel tells its events over HTTP (`/api/events`, server-sent events). Of these `view` holds the whole page
as data: this program waits for a new ruling that stands, and lights the taker's lamp for two seconds.
"""

import argparse
import json
import sys
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, Protocol

PANEL = "http://127.0.0.1:8321"
STANDS = {"ruled", "confirmed", "overruled"}
"""States of a ruling on which the players can act; a `proposed` one still waits for a person."""
LIT_S = 2.0
AGAIN_S = 5.0  # between two attempts to reach the panel


class Lamps(Protocol):
    """Two lamps, `near` and `far`."""

    def switch(self, side: str, *, on: bool) -> None:
        """Switch one lamp."""


class GpioLamps:
    """Lamps (through a transistor or a relay) on two pins of a Raspberry Pi, numbered as BCM does."""

    def __init__(self, near: int, far: int) -> None:
        from gpiozero import LED

        self._pins = {"near": LED(near), "far": LED(far)}

    def switch(self, side: str, *, on: bool) -> None:
        """Switch one lamp."""
        self._pins[side].value = on


class MqttLamps:
    """Lamps that hear on MQTT: `shinpan/near` and `shinpan/far` are told `ON` or `OFF`."""

    def __init__(self, broker: str, port: int) -> None:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.connect(broker, port)
        self._client.loop_start()

    def switch(self, side: str, *, on: bool) -> None:
        """Switch one lamp."""
        # at least once: a lamp that missed its OFF would burn on
        told = self._client.publish(f"shinpan/{side}", "ON" if on else "OFF", qos=1)
        with suppress(RuntimeError):  # without its broker: paho sends it once that is back
            told.wait_for_publish(timeout=5)

    def close(self) -> None:
        """Leave the broker."""
        self._client.disconnect()
        self._client.loop_stop()


def views(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Yield every view in a stream of server-sent events."""
    kind, data = "", []
    for line in lines:
        field, _, value = line.decode("utf-8").rstrip("\r\n").partition(":")
        if field == "event":
            kind = value.strip()
        elif field == "data":
            data.append(value.removeprefix(" "))
        elif not field and not value:  # an empty line ends a message
            if kind == "view":
                yield json.loads("\n".join(data))
            kind, data = "", []


class TakerLamp:
    """Lights the lamp of whoever took the card, once for each poem; `wait` lets so many seconds pass."""

    def __init__(self, lamps: Lamps, wait: Callable[[float], None] = time.sleep) -> None:
        self._lamps, self._wait = lamps, wait
        self._is_first = True
        self._shown: tuple[str, int, str | None] | None = None

    def show(self, view: dict[str, Any]) -> None:
        """Look at a view of the match and light a lamp where a new ruling stands."""
        latest, is_first, self._is_first = view["latest"], self._is_first, False
        if latest is None or latest["state"] not in STANDS:
            return
        taker = latest["taken_by"]
        # a word that only confirms a ruling is no news, nor is what stood before this program began
        ruling = view["match"], latest["order"], taker
        is_news, self._shown = not is_first and ruling != self._shown, ruling
        if is_news and taker is not None:
            self._lamps.switch(taker, on=True)
            self._wait(LIT_S)
            self._lamps.switch(taker, on=False)


def follow(panel: str, lamp: TakerLamp, wait: Callable[[float], None] = time.sleep) -> None:
    """Follow the panel's events for ever, again after a break."""
    while True:
        try:
            # the panel says something every second; ten seconds of silence are a lost line
            with urllib.request.urlopen(f"{panel}/api/events", timeout=10) as stream:
                for view in views(stream):
                    lamp.show(view)
        except OSError as error:
            sys.stderr.write(f"{panel} does not answer ({error}); trying again\n")
        wait(AGAIN_S)


def main() -> None:
    """Follow the panel until the program is stopped."""
    parser = argparse.ArgumentParser(description="light a lamp for whoever takes the card")
    parser.add_argument("out", choices=("gpio", "mqtt"))
    parser.add_argument("--panel", default=PANEL)
    parser.add_argument("--near", type=int, default=17)
    parser.add_argument("--far", type=int, default=27)
    parser.add_argument("--broker", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=1883)
    asked = parser.parse_args()
    lamps: Lamps
    try:
        lamps = (
            GpioLamps(asked.near, asked.far) if asked.out == "gpio" else MqttLamps(asked.broker, asked.port)
        )
    except OSError as error:
        sys.exit(f"no broker answers at {asked.broker}:{asked.port}: {error}")
    with suppress(KeyboardInterrupt):
        follow(asked.panel, TakerLamp(lamps))


if __name__ == "__main__":
    main()
