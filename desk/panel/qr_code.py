"""QR codes of links, for pages and terminals."""

from typing import Any


def qr_svg(link: str) -> str:
    return str(_code(link).svg_inline(scale=5, border=3, light="white"))


def qr_image(link: str) -> str:
    """Return a QR code as the `data:` address of an image, for pages that a script fills."""
    return str(_code(link).svg_data_uri(scale=5, border=3, light="white"))


def qr_text(link: str) -> str:
    """Return a QR code for the terminal, two modules per character, light on dark."""
    modules = [list(row) for row in _code(link).matrix_iter(border=2)]
    if len(modules) % 2:
        modules.append([0] * len(modules[0]))
    signs = {(True, True): " ", (True, False): "▄", (False, True): "▀", (False, False): "█"}
    return "\n".join(
        "".join(signs[bool(above), bool(below)] for above, below in zip(upper, lower, strict=True))
        for upper, lower in zip(modules[::2], modules[1::2], strict=True)
    )


def _code(link: str) -> Any:
    import segno  # most pages show no code

    return segno.make(link, error="m", micro=False)
