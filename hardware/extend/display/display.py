"""A display of Podestà's match: game, names and score, in a terminal or on a Pico with a small OLED.

README.md tells how to try it. On a laptop: ``python3 display.py /dev/ttyUSB0``; on a Pico it is ``main.py``.
"""

import sys
import time

from podesta_line import serial_line, usb_line

NAME, VERSION, CAPS = "display-1", "1", "watch"
LOOK_MS = 5000
"""The interval of questions about the match: the box announces a new match only with its first record."""

PAGE_MS = 3000


class Display:
    """The match as known so far, as rows of text."""

    def __init__(self, line, ticks_ms) -> None:  # noqa: ANN001
        """Show the match heard from ``line``, a :class:`podesta_line.Line` that watches."""
        self._line = line
        self._ticks_ms = ticks_ms
        self._match = self._score = ""
        self._heard_ms = 0
        self._asked_ms = None
        self._asking = 0

    def poll(self) -> None:
        """Hear news, and ask for the match when it may have changed; call it often."""
        for kind, args in self._line.poll():
            self._heard_ms = self._ticks_ms()
            number, _, text = args.partition(" ")
            if kind == "event":
                self._asked_ms = None
            elif number == str(self._asking):
                self._asking = 0
                if kind == "match":
                    self._match = text
                    self._asking = self._line.send("ask", "score") or 0
                elif kind == "score":
                    self._score = text
                elif kind == "err":
                    self._match = self._score = ""
        if not self._asking and (self._asked_ms is None or self._since(self._asked_ms) >= LOOK_MS):
            self._asking = self._line.send("ask", "match") or 0
            if self._asking:
                self._asked_ms = self._ticks_ms()

    def _since(self, then_ms: int) -> int:
        return (self._ticks_ms() - then_ms) & 0x3FFFFFFF

    def rows(self, width: int) -> list:
        """Return the game, then each player's name with the score at the right; long names take more rows."""
        if not self._line.ready or self._since(self._heard_ms) > 3 * LOOK_MS:
            return ["no box"]
        if not self._match:
            return ["no match"]
        game, _, rest = self._match.partition(" ")
        names = rest.split(" level=")[0].split(",")
        points = dict(pair.split(":") for pair in self._score.split())
        shown = _wrap(" ".join([word[0].upper() + word[1:] for word in game.split("_")]), width)
        for seat, name in enumerate(names):
            score = points.get("abcdefgh"[seat], "")
            shown += _wrap(name, width)
            if len(shown[-1]) + 1 + len(score) > width:
                shown.append("")
            shown[-1] += " " * (width - len(shown[-1]) - len(score)) + score
        return shown


def _wrap(text: str, width: int) -> list:
    rows = [""]
    for word in text.split():
        if rows[-1] and len(rows[-1]) + 1 + len(word) > width:
            rows.append("")
        rows[-1] = (rows[-1] + " " + word).strip()
        while len(rows[-1]) > width:
            rows.append(rows[-1][width:])
            rows[-2] = rows[-2][:width]
    return rows


def on_a_terminal(port: str) -> None:
    """Show it in this terminal, again after each change."""
    line = serial_line(port, NAME, VERSION, CAPS)
    display = Display(line, lambda: int(time.monotonic() * 1000))
    before = None
    while True:
        display.poll()
        rows = display.rows(30)
        if rows != before:
            print("\n" + "\n".join(rows), flush=True)
            before = rows
        time.sleep(0.02)


def on_an_oled() -> None:
    """Show it on a 128×64 SSD1306 at the Pico's pins 0 (SDA) and 1 (SCL), six rows a page."""
    from machine import I2C, Pin  # noqa: PLC0415 – a microcontroller has these
    from ssd1306 import SSD1306_I2C  # noqa: PLC0415

    oled = SSD1306_I2C(128, 64, I2C(0, sda=Pin(0), scl=Pin(1)))
    display = Display(usb_line(NAME, VERSION, CAPS), time.ticks_ms)
    before = None
    while True:
        display.poll()
        rows = display.rows(16)
        pages = (len(rows) + 5) // 6
        first = time.ticks_ms() // PAGE_MS % pages * 6
        page = rows[first : first + 6]
        if page != before:
            oled.fill(0)
            for at, row in enumerate(page):
                oled.text(row, 0, at * 11)
            oled.show()
            before = page
        time.sleep_ms(10)


if __name__ == "__main__":
    if sys.implementation.name == "micropython":
        on_an_oled()
    elif len(sys.argv) == 2:
        on_a_terminal(sys.argv[1])
    else:
        sys.exit("usage: display.py PORT, for example /dev/ttyUSB0")
