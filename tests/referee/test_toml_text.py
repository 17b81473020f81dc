"""TOML from other people's disks."""

import pytest

from referee import toml_text


@pytest.mark.parametrize(
    ("toml", "complaint"),
    [("a = " + "[" * 5000, "nested"), ("a" + ".a" * 50_000 + " = 1", "nested"),
     ("a = " + "9" * 5000, "digits"), ("# " + "a" * (1 << 20), "too long"),
     ("a = 1\na = 2", "overwrite")],
)  # fmt: skip
def test_toml_that_cannot_be_read_is_no_traceback(toml: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        toml_text.parse(toml)


def test_one_word_may_fill_a_file() -> None:
    """A search for deep keys that began anew at each letter would take an hour."""
    word = "x" * 1_000_000
    assert toml_text.parse(f'a = "{word}"') == {"a": word}
