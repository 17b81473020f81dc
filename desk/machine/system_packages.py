"""System libraries that Python packages need, and how to install missing ones."""

import importlib
import sys
from collections.abc import Mapping

from calibration.finding import Finding, fail, ok
from referee.sentence import Sentence

_DEBIAN_PACKAGES: Mapping[str, str] = {
    "libGL.so": "libgl1",
    "libEGL.so": "libegl1",
    "libgthread-2.0.so": "libglib2.0-0",
    "libglib-2.0.so": "libglib2.0-0",
    "libgomp.so": "libgomp1",
    "libxcb": "libxcb1",
    "libSM.so": "libsm6",
    "libXext.so": "libxext6",
    "libXrender.so": "libxrender1",
    "libportaudio": "libportaudio2",
    "PortAudio library": "libportaudio2",
    "libsndfile": "libsndfile1",
    "sndfile library": "libsndfile1",
}


_AGAIN = Sentence(
    "install shinpan again: uv tool install --reinstall shinpan (in a checkout: uv sync --reinstall)"
)
"""On macOS and Windows the Python packages bring their libraries along."""


def is_linux() -> bool:
    """Tell whether the system gets its libraries, fonts and browsers as packages of its own."""
    return sys.platform.startswith("linux")


def way_to(package: str) -> str:
    return f"sudo apt-get install {package}" if is_linux() else _AGAIN


def debian_package(error_text: str) -> str | None:
    """Return the Debian package with the library that an import error names.

    `error_text`: text of the `ImportError` or `OSError` raised on loading the library.

    Returns: the package's name, or None if the text names no known library.
    """
    return next((package for library, package in _DEBIAN_PACKAGES.items() if library in error_text), None)


def missing_library_advice(error_text: str) -> Sentence | None:
    """Return one line that says which library is missing and how to install it, or None if none is."""
    package = debian_package(error_text)
    if package is None:
        return None
    return Sentence(
        "a system library is missing ({why}); get it with: {command}", why=error_text, command=way_to(package)
    )


def check_import(module: str, advice: str) -> Finding:
    """Check that a package loads; if its error names no system library, the finding gives `advice`."""
    try:
        imported = importlib.import_module(module)
    except (ImportError, OSError) as error:
        return fail(str(error), missing_library_advice(str(error)) or advice)
    return ok(f"{module} {getattr(imported, '__version__', '')}".strip())
