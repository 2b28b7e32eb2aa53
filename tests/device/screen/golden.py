"""Pages held against their golden pictures; with ``PODESTA_GOLDEN=write`` they are drawn anew."""

import os
from pathlib import Path

from PIL import Image

from device.screen import Page
from device.screen.pixels import draw


def looks_like(page: Page, golden: Path) -> None:
    """Draw a page and compare it dot by dot; look at what was written anew."""
    image = draw(page)
    assert (image.mode, image.size) == ("1", (128, 64))
    if os.environ.get("PODESTA_GOLDEN") == "write":
        image.save(golden)
    with Image.open(golden) as picture:
        assert image.tobytes() == picture.convert("1").tobytes(), f"it differs from {golden}"
