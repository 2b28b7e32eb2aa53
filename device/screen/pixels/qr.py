"""A text as a QR code beside itself, dark on lit, as cameras want it."""

from __future__ import annotations

from PIL import Image

from device.screen import QrPage
from device.screen.pixels.canvas import HEIGHT, WIDTH, small
from device.screen.pixels.fit import wrap
from device.screen.pixels.fonts import SMALL

SIMULATED, SAMPLE = "SIMULATED", "SAMPLE"
"""What stands there in place of the header, which has no room beside the code."""

QUIET = 2
"""Lit modules around the code; the standard wants four, cameras are content with two."""


def draw(canvas: Image.Image, page: QrPage) -> None:
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
    lines = [*wrap(page.text, small(), WIDTH - left)[: HEIGHT // SMALL - 1]]
    marks = [SIMULATED] * page.header.simulated or [SAMPLE] * page.header.sample
    for nth, line in enumerate([*lines, *marks]):
        small().write(canvas, left, nth * SMALL, line)
