"""Cards are found as rectangles of paper: with a border or without, alone or edge to edge, at any size."""

from typing import Any

import cv2
import numpy as np
import pytest

from vision.cards.border import border_of, refine
from vision.cards.rectangle_finder import find_cards

FLOOR, PAPER, BORDER, INK = 110, 225, 80, 40


def table(width: int = 1280, height: int = 720) -> Any:
    rng = np.random.default_rng(3)
    return rng.normal(FLOOR, 3, (height, width)).astype(np.float32)


def lay(  # noqa: PLR0917
    picture: Any, x: float, y: float, px_per_mm: float = 1.0, border_mm: float = 0.0, turn_deg: float = 0.0
) -> Any:
    """Draw a card with three columns of blots for text, centred at (x, y); return its corners."""
    finer = 4
    card = np.full((73 * finer, 52 * finer), BORDER if border_mm else PAPER, np.float32)
    edge = round(border_mm * finer)
    card[edge : card.shape[0] - edge, edge : card.shape[1] - edge] = PAPER
    for column in range(3):
        for row in range(5 if column < 2 else 4):
            left, top = (41 - 15 * column - 4) * finer, (10 + 12 * row) * finer
            card[top : top + 8 * finer, left : left + 3 * finer] = INK
    angle = np.deg2rad(turn_deg)
    turn = px_per_mm * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    shape = np.array([[-26, -36.5], [26, -36.5], [26, 36.5], [-26, 36.5]])
    corners = shape @ turn.T + np.array([x, y])
    source = np.array([[0, 0], [card.shape[1], 0], card.shape[::-1], [0, card.shape[0]]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    size = picture.shape[::-1]
    mask = cv2.warpPerspective(np.ones_like(card), warp, size, flags=cv2.INTER_AREA)
    picture[:] = picture * (1 - mask) + cv2.warpPerspective(card, warp, size, flags=cv2.INTER_AREA) * mask
    return corners


def seen(picture: Any) -> Any:
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.6), 0, 255).astype(np.uint8)


def missed(found: Any, truth: Any, share: float = 0.06) -> list[Any]:
    """Return true centres near which no card of about the right size was found."""
    quads = np.array([card.corners_px for card in found]).reshape(-1, 4, 2)
    widths = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    lost = []
    for corners in truth:
        width = float(np.linalg.norm(corners[1] - corners[0]))
        near = np.linalg.norm(quads.mean(axis=1) - corners.mean(axis=0), axis=1) < share * width + 0.5
        if not (near & (widths < 1.08 * width) & (widths > 0.78 * width)).any():
            lost.append(corners.mean(axis=0).tolist())
    return lost


@pytest.mark.parametrize("cards", [2, 3, 5, 9, 16])
def test_row_without_borders_is_cut_into_its_cards(cards: int) -> None:
    picture = table()
    truth = [lay(picture, 120 + 54.6 * n, 250, 1.05) for n in range(cards)]
    truth += [lay(picture, 200, 500, 1.05), lay(picture, 700, 500, 1.05)]
    found = find_cards(seen(picture))
    assert missed(found, truth) == []
    assert len(found) == cards + 2


def test_crooked_neighbours_are_told_apart() -> None:
    picture = table()
    truth = [
        lay(picture, 200 + 55.5 * n, 250 + 3 * (n % 2), 1.05, 0.0, turn)
        for n, turn in enumerate((0, 1, -1, 0))
    ]
    truth += [lay(picture, 200, 500, 1.05), lay(picture, 700, 500, 1.05)]
    assert missed(find_cards(seen(picture)), truth) == []


@pytest.mark.parametrize("border", [0.0, 1.5, 3.0])
def test_edges_and_border_are_measured_to_a_fraction_of_a_millimetre(border: float) -> None:
    picture = table()
    # Pairs that touch, as in any row: alone, a narrow border of middling gray looks like a blurred edge.
    places = [(150 + 220 * n + 55 * k, 150 + 130 * m) for n in range(5) for k in range(2) for m in range(4)]
    truth = np.array([lay(picture, x, y, 1.05, border, 0.2) for x, y in places])
    gray = seen(picture)
    papers = refine(gray, np.array([card.corners_px for card in find_cards(gray)]))
    order = [int(np.linalg.norm(papers.mean(axis=1) - quad.mean(axis=0), axis=1).argmin()) for quad in truth]
    off_mm = np.linalg.norm(papers.mean(axis=1)[order] - truth.mean(axis=1), axis=1) / 1.05
    # Where two papers meet without a border there is no edge to see, only text to keep clear of.
    assert np.median(off_mm) < (0.25 if border else 0.75)
    assert off_mm.max() < 1.2
    share = (52 - 2 * border) / 52
    assert border_of(gray, papers).width_mm * share == pytest.approx(border, abs=0.4)
