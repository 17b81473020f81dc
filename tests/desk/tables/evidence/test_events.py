"""What a log may name as a replay."""

import pytest

from desk.karuta.engine.events import CODEC as KARUTA
from desk.koikoi.events import KOIKOI_CODEC as KOIKOI
from desk.log.event_codec import EventCodec, EventCodecError

NAME = f"{'0f' * 32}.zip"
FOREIGN = [
    "../../.ssh/id_ed25519",
    "/etc/passwd",
    "..",
    "",
    "C:secret.zip",
    "\\\\host\\share.zip",
    f"../{NAME}",
    f"{NAME}\n",
    NAME.upper(),
    NAME.replace(".zip", ".mp4"),
    NAME.replace("0f", "０f"),
]


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize(
    ("codec", "field", "others"),
    [(KARUTA, "file", {"ruling": 1}), (KOIKOI, "name", {"t_ms": 1.0, "from_ms": 0.0})],
)
def test_a_log_that_names_another_file_is_not_understood(
    codec: EventCodec, field: str, others: dict[str, float], name: str
) -> None:
    with pytest.raises(EventCodecError):
        codec.decode("evidence_kept", 1, {**others, field: name})
    assert getattr(codec.decode("evidence_kept", 1, {**others, field: NAME}), field) == NAME
