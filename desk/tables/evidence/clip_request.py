"""A replay as an MP4 film, on request: the file that holds it, and the process that makes it."""

import hashlib
from pathlib import Path

from desk.machine.side_process import SIDE_PROCESS
from desk.panel.match.port import Caption


def clip_path(bundle: Path, caption: Caption) -> Path:
    """Return the path of a bundle's film; each ruling and language has a file of its own."""
    if caption.is_small:
        return bundle.with_name(f"{bundle.stem}-small.mp4")
    if not caption.lines and not caption.contacts:
        return bundle.with_suffix(".mp4")
    words = repr((tuple(caption.lines), sorted(caption.contacts.items(), key=str)))
    return bundle.with_name(f"{bundle.stem}-{hashlib.sha256(words.encode()).hexdigest()[:12]}.mp4")


async def clip_of(bundle: Path, caption: Caption) -> Path:
    """Return the film of a bundle, made by the side process; BusyError if too many others wait for theirs."""
    path = clip_path(bundle, caption)
    return path if path.is_file() else await SIDE_PROCESS.do(_made, bundle, caption)


def _made(bundle: Path, caption: Caption) -> Path:
    from desk.tables.evidence.clip import film

    return film(bundle, caption)
