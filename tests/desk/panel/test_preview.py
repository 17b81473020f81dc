"""The live picture: one for all viewers, and none without a source."""

from desk.panel.preview import PERIOD_S, Preview
from tests.desk.panel.panel_port import ScriptedPort


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
    assert part.endswith(b"Content-Length: 12\r\n\r\n\xff\xd8 picture 1\r\n--picture\r\n")
    now_s[0] += PERIOD_S
    assert preview.part() != part
    assert camera.asked == 2


def test_the_first_picture_is_shown_as_soon_as_it_comes() -> None:
    class Camera(ScriptedPort):
        asked = 0

        def preview(self) -> bytes | None:
            self.asked += 1
            return b"\xff\xd8 picture" if self.asked > 3 else None

    camera = Camera()
    preview = Preview(camera, now_s=lambda: 0.0)  # three looks within one period
    assert [preview.part() for _ in range(3)] == [None] * 3
    assert preview.part() is not None
