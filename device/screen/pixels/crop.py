"""A small piece of a camera's picture beside the question about it.

One bit a pixel cannot show a photograph. Stretched to full contrast and dithered it shows what matters:
edges, and how many of them stand above one another.
"""

from __future__ import annotations

import io

from PIL import Image, ImageOps

from device.screen import CropPage
from device.screen.pixels.canvas import HEIGHT, MARGIN, TOP, lines, rows
from device.screen.pixels.fonts import SMALL

ROOM = (56, 48)
"""The most that a picture may take, px."""
_CUT = 2  # per cent of the darkest and the brightest pixels that stretching gives up


def draw(canvas: Image.Image, page: CropPage) -> None:
    """The picture at the left under the header, the prompt and the lines beside it.

    A picture that cannot be read leaves its place empty: the question can be answered from the table.
    """
    left = ROOM[0] + MARGIN + 2
    if (shown := dithered(page.picture)) is not None:
        canvas.paste(shown, ((ROOM[0] - shown.width) // 2, TOP + (ROOM[1] - shown.height) // 2))
    y = lines(canvas, page.prompt, left, TOP, 2)
    rows(canvas, page.items, page.index, left, y, (HEIGHT - y) // SMALL)


def dithered(picture: bytes) -> Image.Image | None:
    """A PNG as large as there is room for, of mode ``"1"``; None where it is no picture."""
    try:
        with Image.open(io.BytesIO(picture), formats=["PNG"]) as file:
            grey = file.convert("L")
    except (OSError, ValueError, SyntaxError):
        return None
    fitted = ImageOps.contain(grey, ROOM, Image.Resampling.LANCZOS)
    return ImageOps.autocontrast(fitted, cutoff=_CUT).convert("1")
