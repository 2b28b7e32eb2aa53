"""draw.py FOLDER: write the files of the notice into FOLDER, in the box's font and the displays' format."""

import json
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from PIL import Image

from device.screen import NoticePage, PageHeader
from device.screen.pixels.layout import draw
from device.screen.pixels.oled import Oled

WORDS = "The box does not start. Your matches are safe. Its page says more."


class Heard:
    """A wire that keeps the bytes sent over it, in I2C's form: 0x00 before commands, 0x40 before a
    picture.
    """

    def __init__(self) -> None:
        self.sent: list[list[int]] = []

    def command(self, *cmd: int) -> None:
        """Keep commands."""
        self.sent.append([0x00, *cmd])

    def data(self, data: list[int]) -> None:
        """Keep a part of a picture."""
        self.sent.append([0x40, *data])

    def cleanup(self) -> None:
        """Nothing to release."""


def picture() -> Image.Image:
    """Return the picture for the display."""
    return draw(NoticePage(PageHeader("Podestà"), WORDS, urgent=True))


def sent(driver: str, upside_down: bool) -> list[list[int]]:
    """Return the messages to a display that was not started yet."""
    wire = Heard()
    Oled(driver, wire, upside_down=upside_down).show(picture())
    return wire.sent


def main(folder: Path) -> None:
    """Write all files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("notice", "notice.py", "notice.html"):
        shutil.copy(Path(__file__).with_name(name), folder)
    picture().save(folder / "notice.png")
    for driver in ("ssd1309", "ssd1306", "sh1106"):
        for rotate in (0, 180):
            file = folder / f"{driver}-{rotate}.json"
            file.write_text(json.dumps(sent(driver, rotate == 180), separators=(",", ":")), "ascii")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
