"""A person at the box who knows what to play: presses keys, looks at the screen, presses on.

What to press comes from a box of the player's own, the *shadow*, which gets the same events in memory. After
each gesture the player waits until the real screen shows the shadow's page, pixel by pixel: a key that got
lost, came twice or meant something else is found at once, and named.
"""

import time
from pathlib import Path
from typing import Protocol

from msgspec.structs import replace
from PIL import Image

import engines
from device.bench.presses import Pilot
from device.keys import Key, KeyEvent, Press, Turn
from device.match.door import MatchDoor
from device.match.library import Library
from device.match.replay import Header
from device.menus import READ_MS, Box
from device.screen import ListPage, Page, TextPage, WheelPage
from device.screen.pixels import draw, pages_of
from device.screen.pixels.worker import WALK
from engines.contract import SEATS
from engines.match import Step
from tests.e2e.daemon_process import DaemonProcess


class Fingers(Protocol):
    """Something that can work the keys of a box."""

    def press(self, key: Key) -> None:
        """Press a key and let go of it."""

    def turn(self, steps: int) -> None:
        """Turn the encoder by so many detents, clockwise if positive."""


class PanelFingers:
    """Clicks on the page of a simulated box; its hardware keeps the pace of a hand."""

    def __init__(self, box: DaemonProcess) -> None:
        """``box`` must be simulated."""
        self._box = box

    def press(self, key: Key) -> None:
        """As short as the page can."""
        self._box.post(f"/key/{key.value}?ms=10")

    def turn(self, steps: int) -> None:
        """All detents at once."""
        self._box.post(f"/turn/{steps}")


class Player:
    """Plays on ``box`` with ``fingers``."""

    def __init__(self, box: DaemonProcess, fingers: Fingers, folder: Path) -> None:
        """``box`` must be running with a fresh state; the shadow keeps its own in ``folder``."""
        self.box = box
        self.fingers = fingers
        self.presses = self.detents = 0
        self._entered = 0.0
        self._owed = 0  # detents that only the shadow has had
        self._folder = folder
        self._simulated = bool(box.status()["simulated"])
        self.shadow = self._shadow()
        self.see()

    def open(self, header: Header) -> None:
        """From the home screen to the first question: players, level and options by the keys."""
        self.choose(self.shadow.texts("home.new"))
        text, game = self.shadow.game_texts[header.game], engines.game(header.game)
        while self._prompt != text("title"):
            self.choose(text("new.game"))
        line = 2
        if len(game.seats) > 1:
            self._set(line, text("new.seats", count=len(header.names)))
            line += 1
        for seat, name in enumerate(header.names):
            if self._items[line + seat] != text("new.seat", letter=SEATS[seat].upper(), name=name):
                self._rename(line + seat, name)
        line += len(header.names)
        self._set(line, text("new.first", name=header.names[header.setup.start]))
        self._set(line + 1, text(f"new.level.{header.setup.level.value}"))
        line += 2
        values = {one.name: one.values[0] for one in game.options} | dict(header.setup.options)
        for option in game.options:
            if option.matters(values):
                label = f"{text(f'option.{option.name}')}: {text(f'option_value.{values[option.name]}')}"
                self._set(line, label)
                line += 1
        self.choose(text("new.start"))
        self.box.wait_for(lambda status: status["turn"])

    def enter(self, step: Step) -> None:
        """Enter a step of the match; returns when the box says that it is on the disk."""
        for event in Pilot(self.shadow).events(step):
            self._do(event)
        self._pay()
        head = self.head
        self.box.wait_for(lambda status: status["recorded"] == head)

    def choose(self, label: str) -> None:
        """Turn to a line of the list and press OK."""
        self._go(self._items.index(label))
        self.press(Key.OK)

    def press(self, key: Key) -> None:
        """Press a key, OK a moment after a record or a text, and see what it does."""
        read = isinstance(self.shadow.page(), TextPage) or self.shadow.is_for_news(Press(Key.OK))
        head = self._head
        if key is Key.OK:
            time.sleep(max(0.0, self._entered + READ_MS / 1000 - time.monotonic()))
        self._tell(Press(key))
        self.fingers.press(key)
        self.presses += 1
        self.see()
        if self._head != head or read:
            self._entered = time.monotonic()

    def turn(self, steps: int) -> None:
        """Turn the encoder, and see what it does."""
        for _ in range(abs(steps)):
            self._do(Turn(1 if steps > 0 else -1))
        self._pay()

    def see(self) -> Image.Image:
        """Wait until the screen shows what the shadow shows; its picture."""
        page = self.shadow.page()
        due = {draw(page, shift).tobytes() for shift in WALK}
        seen = self.box.wait_for_screen(lambda picture: picture.tobytes() in due)
        if seen is None or seen.tobytes() not in due:
            draw(page).save(self._folder / "due.png")
            if seen:
                seen.save(self._folder / "seen.png")
            raise AssertionError(
                f"after {self.presses} presses and {self.detents} detents the screen does not show {page}"
                f"{_otherwise(page, seen)}; see due.png and seen.png in {self._folder}; "
                f"the log's end:\n{self.box.log[-2000:]}"
            )
        return seen

    def close(self) -> None:
        """Leave the shadow's match."""
        self.shadow.library.leave()

    @property
    def _head(self) -> int:
        referee = self.shadow.library.referee
        return referee.head if referee else 0

    @property
    def head(self) -> int:
        """The last record of the shadow's match."""
        referee = self.shadow.library.referee
        assert referee, "no match is open"
        return referee.head

    @property
    def _items(self) -> tuple[str, ...]:
        page = self.shadow.page()
        assert isinstance(page, ListPage | WheelPage), page
        return page.items

    @property
    def _prompt(self) -> str:
        page = self.shadow.page()
        assert isinstance(page, ListPage), page
        return page.prompt

    def _shadow(self) -> Box:
        table = Library(self._folder, simulated=self._simulated)
        table.resume()
        return Box(MatchDoor(table), pages=pages_of)

    def _do(self, event: KeyEvent) -> None:
        if isinstance(event, Turn):
            if self._owed * event.steps < 0:
                self._pay()
            self._tell(event)
            self._owed += event.steps
        else:
            self._pay()
            self.press(event.key)

    def _pay(self) -> None:
        """Turn the encoder as far as the shadow's has been turned, in one go, and see what that does."""
        steps, self._owed = self._owed, 0
        if steps:
            self.fingers.turn(steps)
            self.detents += abs(steps)
            self.see()

    def _tell(self, event: KeyEvent) -> None:
        self.shadow.key(event)
        referee = self.shadow.library.referee
        if referee:
            referee.wait()

    def _go(self, line: int) -> None:
        page = self.shadow.page()
        assert isinstance(page, ListPage | WheelPage), page
        lines = len(page.items)
        steps = (line - page.index) % lines
        if steps:
            self.turn(steps if steps <= lines - steps else steps - lines)

    def _set(self, line: int, label: str) -> None:
        """Press OK on a line of the form until it reads as it should."""
        offered: set[str] = set()
        while (now := self._items[line]) != label:
            assert now not in offered, f"the form offers {sorted(offered)}, not {label!r}"
            offered.add(now)
            self._go(line)
            self.press(Key.OK)

    def _rename(self, line: int, name: str) -> None:
        self._go(line)
        self.press(Key.OK)
        if self.shadow.texts("new.name") in self._items:  # where nobody is known it is asked for at once
            self.choose(self.shadow.texts("new.name"))
        for letter in name.upper().replace(" ", "␣"):
            self.choose(letter)
        self.choose(self.shadow.texts("new.name_done"))


def _otherwise(page: Page, seen: Image.Image | None) -> str:
    """Say which line of ``page`` the screen ``seen`` has the cursor on, if it is that list."""
    if seen is None or not isinstance(page, ListPage | WheelPage):
        return ""
    for index in range(len(page.items)):
        turned = replace(page, index=index)
        if any(draw(turned, shift).tobytes() == seen.tobytes() for shift in WALK):
            return f" but its line {index}"
    return ""
