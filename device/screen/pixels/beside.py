"""A picture beside its text: a small piece of a camera's picture with a question, or a QR code.

One bit a pixel cannot show a photograph. Stretched to full contrast and dithered, it shows what matters:
edges, and how many of them stand above one another. A code is dark on lit, as cameras need it.
"""

from __future__ import annotations

import io

from PIL import Image, ImageOps

from device.screen import CropPage, QrPage
from device.screen.pixels.canvas import HEIGHT, MARGIN, TOP, WIDTH, draw_lines, draw_rows, fold, small
from device.screen.pixels.fit import wrap
from device.screen.pixels.fonts import SMALL

ROOM_PX = (56, 48)
"""The largest picture, px."""
_CUT = 2  # per cent of the darkest and the brightest pixels that stretching gives up

QUIET = 2
"""Lit modules around the code; the standard wants four, cameras are content with two."""


def draw_crop(canvas: Image.Image, page: CropPage) -> None:
    """Draw the picture at the left under the header, the prompt and the lines beside it.

    An unreadable picture leaves its place empty: people can answer from the table.
    """
    left = ROOM_PX[0] + MARGIN + 2
    if (shown := dither(page.picture)) is not None:
        canvas.paste(shown, ((ROOM_PX[0] - shown.width) // 2, TOP + (ROOM_PX[1] - shown.height) // 2))
    y = draw_lines(canvas, fold(page.prompt, WIDTH - left, 2), left, TOP)
    draw_rows(canvas, page.items, page.index, left, y, (HEIGHT - y) // SMALL)


def dither(picture: bytes) -> Image.Image | None:
    """Return a PNG as large as it fits, of mode ``"1"``; None if it is no picture."""
    try:
        with Image.open(io.BytesIO(picture), formats=["PNG"]) as file:
            grey = file.convert("L")
    except (OSError, ValueError, SyntaxError):
        return None
    fitted = ImageOps.contain(grey, ROOM_PX, Image.Resampling.LANCZOS)
    return ImageOps.autocontrast(fitted, cutoff=_CUT).convert("1")


def draw_code(canvas: Image.Image, page: QrPage) -> None:
    """Draw the code at the left, as large as it fits, its text beside it."""
    import segno  # noqa: PLC0415 – the first picture does not wait for it

    code = segno.make(page.text, error="l", micro=False, boost_error=False)
    modules = [list(row) for row in code.matrix]
    side = len(modules) + 2 * QUIET
    scale = max(1, HEIGHT // side)
    canvas.paste(1, (0, 0, side * scale, min(HEIGHT, side * scale)))
    for y, row in enumerate(modules):
        for x, dark in enumerate(row):
            if dark:
                left, top = (x + QUIET) * scale, (y + QUIET) * scale
                canvas.paste(0, (left, top, left + scale, top + scale))
    left = side * scale + 4
    shown = [*wrap(page.text, small(), WIDTH - left)[: HEIGHT // SMALL - 1]]
    words = page.header.words
    marks = [words.simulated] * page.header.simulated or [words.sample] * page.header.sample
    draw_lines(canvas, [*shown, *marks], left, 0)
