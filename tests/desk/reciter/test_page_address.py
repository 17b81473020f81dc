"""The addresses for phones, and a QR code on the terminal that a camera can read."""

import cv2
import numpy as np

from desk.panel.qr_code import qr_text
from desk.panel.roles import Role, Roles
from desk.panel.server import PanelAddress
from desk.reciter.page import described

HALVES = {" ": (1, 1), "▄": (1, 0), "▀": (0, 1), "█": (0, 0)}
"""Which of the upper and the lower module are dark, on a terminal with light letters."""


def test_the_qr_code_is_read_back() -> None:
    link = "http://192.168.1.5:8321/recite/join/abcdef"
    rows: list[list[int]] = []
    for line in qr_text(link).splitlines():
        upper, lower = zip(*(HALVES[sign] for sign in line), strict=True)
        rows += [list(upper), list(lower)]
    picture = np.kron(255 - 255 * np.array(rows, np.uint8), np.ones((8, 8), np.uint8))
    padded = cv2.copyMakeBorder(picture, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=255)
    assert cv2.QRCodeDetector().detectAndDecode(padded)[0] == link


def test_on_this_machine_alone_there_is_one_address_and_phones_get_one_to_command_and_one_to_look() -> None:
    alone = described(PanelAddress("127.0.0.1", 8321, (), Roles()), "/recite")
    assert alone == "page: http://127.0.0.1:8321/recite"
    roles = Roles({"secret": Role.OPERATOR})
    told = described(PanelAddress("0.0.0.0", 8321, ("192.168.1.5",), roles), "/recite")
    assert "page: http://192.168.1.5:8321/recite/join/secret" in told
    assert told.endswith("to look at: http://192.168.1.5:8321/recite")
