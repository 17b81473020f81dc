"""What the path tracer is told: the simulator's places, seen by the simulator's camera, with solid shapes."""

from dataclasses import replace

import numpy as np
import pytest
from trace_films import staged
from traced.choreography import BENDS, camera_matrix, card_name, hand_name, shots, shutter_of, stretched
from traced.floors import FLOORS
from traced.hall import drawn_hall
from traced.shapes import CARD_THICK_M, Build, card, hand, surface

from referee.facts import Hand
from referee.sides import Side
from vision.simulator.drawing.style import STYLES
from vision.simulator.hall.scene import Scene

SEED = 661_000
MATCH = staged(SEED, "harai", 60, (320, 180))
(EPISODE,) = MATCH.episodes()
SCENE = Scene(EPISODE)
TUMBLE = drawn_hall(SEED).style.tumble_rad_per_m
FIRST = EPISODE.truth["touches"][0]


def seen_px(points_m: np.ndarray) -> np.ndarray:
    """Return where a pinhole with the tracer's matrix sees points of the room."""
    matrix, focal = camera_matrix(MATCH.camera)
    x, y, z = (np.column_stack([points_m, np.ones(len(points_m))]) @ np.linalg.inv(matrix).T)[:, :3].T
    across, down = -x / z * focal * MATCH.width, y / z * focal * MATCH.width
    return np.column_stack([across + MATCH.width / 2 - 0.5, down + MATCH.height / 2 - 0.5])


@pytest.mark.parametrize(("tilt", "roll"), [(0.0, 0.0), (0.05, -0.02)])
def test_the_tracers_camera_sees_what_the_simulators_sees(
    tilt: float, roll: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = replace(MATCH.camera, tilt_rad=tilt, roll_rad=roll)
    monkeypatch.setattr(MATCH, "camera", camera)
    points = np.random.default_rng(1).uniform((-0.5, -0.3, 0), (0.5, 0.3, 0.3), (30, 3))
    assert seen_px(points * [1, -1, 1]) == pytest.approx(camera.to_image(points), abs=1e-6)


def test_a_card_lies_where_its_truth_says() -> None:
    (shot,) = shots(SCENE, shutter_of(MATCH), [EPISODE.t_s], TUMBLE)
    half = np.array([[-0.026, 0.0365], [0.026, 0.0365], [0.026, -0.0365], [-0.026, -0.0365]])
    corners = np.column_stack([half, np.zeros(4), np.ones(4)])
    for number, told in MATCH.truth["meta"]["corners_px"].items():
        placed = shot.places[card_name(int(number))][1]
        assert seen_px((corners @ placed.T)[:, :3]) == pytest.approx(np.array(told), abs=0.02)


def test_cards_and_hands_move_only_when_the_simulator_moves_them() -> None:
    shutter, touched_s = shutter_of(MATCH), FIRST["t_ms"] / 1000
    before, at, after = shots(SCENE, shutter, [touched_s - 0.03, touched_s, touched_s + 0.05], TUMBLE)
    name, hand_ = card_name(FIRST["card"]), hand_name(Side(FIRST["player"]), Hand(FIRST["hand"]))
    assert (before.places[name] == before.places[name][0]).all()
    assert np.linalg.norm(after.places[name][1] - before.places[name][1]) > 0.005
    assert (at.places[hand_][0] != at.places[hand_][2]).any()  # blurred: it strikes while the shutter is open
    fingers = EPISODE.paths[Side(FIRST["player"]), Hand(FIRST["hand"])].at(np.array([touched_s]))[0]
    assert at.places[hand_][1][:3, 3] == pytest.approx(
        [fingers[0], -fingers[1], fingers[2] + CARD_THICK_M], abs=1e-9
    )
    assert at.bends[hand_] == 0  # pressed down, it lies flat


def test_pictures_of_a_hall_at_rest_are_the_same_picture() -> None:
    first, second, later = shots(
        SCENE, shutter_of(MATCH), [0.1, 0.2, EPISODE.truth["touches"][0]["t_ms"] / 1e3], 0
    )
    assert first.shows_the_same(second)
    assert not first.shows_the_same(later)


def test_no_card_lies_inside_another_after_a_sweep() -> None:
    (shot,) = shots(SCENE, shutter_of(MATCH), [EPISODE.end_s], TUMBLE)
    places = [shot.places[card_name(number)][1][:3, 3] for number in EPISODE.tracks]
    for index, one in enumerate(places):
        for other in places[:index]:
            far_apart = np.hypot(*(one - other)[:2]) > 0.02  # nearer, they lie on one another
            assert far_apart or abs(one[2] - other[2]) >= CARD_THICK_M


@pytest.mark.parametrize("bend", range(BENDS))
def test_a_hand_stands_on_its_fingertips_whatever_their_bend(bend: int) -> None:
    for is_left in (False, True):
        parts = hand(Build(), bend / (BENDS - 1), is_left=is_left)
        points = np.vstack([surface(part)[0] for part in parts])
        assert points[:, 2].min() == pytest.approx(0, abs=0.0015)
        thumb = points[np.argmax(np.abs(points[:, 0]))]
        assert (thumb[0] > 0) == is_left


def test_flat_fingers_cover_where_the_simulator_lets_them_touch() -> None:
    points = np.vstack([surface(part)[0] for part in hand(Build(), 0.0, is_left=False)[:12]])
    low = points[points[:, 2] < 0.012]
    half = np.array([0.036, 0.030])  # `Friction.fingers_half_m`
    assert low[:, :2].max(axis=0) == pytest.approx(half, abs=0.003)
    assert -low[:, 0].min() == pytest.approx(half[0], abs=0.003)


def test_shapes_are_closed() -> None:
    points, faces, uv, kinds = card(0.001, 0.0005)
    assert len(points) == len(uv)
    assert len(faces) == len(kinds)
    for closed in (faces, surface(hand(Build(), 0.5, is_left=False)[0])[1]):
        edges = [(face[k - 1], face[k]) for face in closed for k in range(len(face))]
        assert len(set(edges)) == len(edges)
        assert {edge[::-1] for edge in edges} == set(edges)
    assert points[:, 2].min() == 0


def test_a_limb_reaches_from_joint_to_joint() -> None:
    start, end = np.array([0.1, 0.2, 0.05]), np.array([0.3, -0.1, 0.3])
    matrix = stretched(start, end)
    assert matrix @ [0, 0, 0, 1] == pytest.approx([*start, 1])
    assert matrix @ [0, 1, 0, 1] == pytest.approx([*end, 1])
    assert np.linalg.det(matrix[:3, :3]) > 0


@pytest.mark.parametrize("kind", FLOORS)
def test_a_floor_has_its_colour_and_is_drawn_anew(kind: str) -> None:
    colour, relief = FLOORS[kind]((0.1, 0.2, 0.3), np.random.default_rng(1))
    other, _ = FLOORS[kind]((0.1, 0.2, 0.3), np.random.default_rng(2))
    assert colour.mean(axis=(0, 1)) == pytest.approx([0.1, 0.2, 0.3], rel=0.2)
    assert colour.std() > 0.005
    assert (colour != other).any()
    assert 0 <= relief.min() <= relief.max() <= 1


def test_halls_differ_and_come_again() -> None:
    assert drawn_hall(1) == drawn_hall(1)
    assert len({drawn_hall(seed) for seed in range(20)}) == 20
    assert {drawn_hall(seed).floor for seed in range(20)} == set(FLOORS)
    assert all(drawn_hall(seed).style.k1 == (0, 0) for seed in range(5))
    assert drawn_hall(1).style not in STYLES.values()
