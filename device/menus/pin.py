"""The judge's PIN, entered with the wheel; it is never shown, kept or logged in clear.

Checking it is slow on a small computer and runs aside.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from device.match import JudgeError, Locked, Unlocked, WrongPin
from device.menus.ui import Ui, View
from device.menus.views import TextReader, close
from device.screen import NoticePage, Page, WheelPage

DIGITS = "0123456789"
LEAST, MOST = 4, 8
"""The fewest and most digits of a PIN."""

HIDDEN = "●"
ELSEWHERE = "·"
"""What stands on the wheel beside the digit under the cursor."""


def unlock(box: Ui, then: Callable[[], None]) -> None:
    """Ask for the PIN and call ``then`` once it was right; Back leaves.

    A page says so where no PIN is set or none can be tried now.
    """
    if box.judge.is_set:
        box.push(view := Unlocking(box, then))
        view.begin()
    else:
        box.push(TextReader(box, box.texts("pin.title"), box.texts("pin.not_set")))


class Unlocking(View):
    """Digit by digit; Back takes the last one away."""

    def __init__(self, box: Ui, then: Callable[[], None]) -> None:
        """Ask for the PIN; ``then`` is called when it was right."""
        super().__init__(box)
        self._then = then
        self._said = ""
        self._open_at = 0.0  # until then nobody may try
        self._looking = False
        self._clear()

    def _clear(self) -> None:
        self._digits = ""
        self._index = 0

    # What is shown

    def page(self) -> Page:
        """Show the wheel, only with the digit under the cursor; or why no digit can be entered."""
        t = self.box.texts
        header = replace(self.box.header(t("pin.title")), private=True)
        if self._looking:
            return NoticePage(header, t("pin.looking"))
        if seconds := self._seconds:
            return NoticePage(header, t("pin.locked", seconds=seconds))
        entered = HIDDEN * len(self._digits)
        prompt = t("pin.entered", entered=entered) if entered else self._said or t("pin.prompt")
        items = [ELSEWHERE] * len(DIGITS) + [t("pin.done")]
        if self._index < len(DIGITS):
            items[self._index] = DIGITS[self._index]
        return WheelPage(header, prompt, tuple(items), self._index)

    @property
    def _seconds(self) -> int:
        return int(-(-max(self._open_at - self.box.now_ms(), 0.0) // 1000))

    def due_ms(self) -> float | None:
        """Time until the page changes by itself."""
        left = self._open_at - self.box.now_ms()
        return (left - 1) % 1000 + 1 if left > 0 else None

    # The keys

    @property
    def _closed(self) -> bool:
        return self._looking or self._seconds > 0

    def turn(self, steps: int) -> None:
        """Go through the digits."""
        if not self._closed:
            self._index = (self._index + steps) % (len(DIGITS) + 1)

    def ok(self) -> None:
        """Take the digit; on "done", check the PIN."""
        if self._closed:
            return
        if self._index < len(DIGITS):
            if len(self._digits) < MOST:
                self._digits += DIGITS[self._index]
            # The cursor leaves the digit just taken, so that nobody reads it.
            self._index = 0 if len(self._digits) < MOST else len(DIGITS)
        elif len(self._digits) < LEAST:
            self.box.toast(self.box.texts("pin.too_short", least=LEAST, most=MOST))
        else:
            self._look(partial(self.box.judge.unlock, self._digits))

    def back(self) -> None:
        """Take the last digit away, or leave."""
        if self._digits:
            self._digits = self._digits[:-1]
        else:
            close(self.box, self)

    # The outcome

    def begin(self) -> None:
        """Check whether a PIN can be tried now."""
        self._look(self.box.judge.locked_for)

    def _look(self, work: Callable[[], object]) -> None:
        def caught() -> object:
            try:
                return work()
            except JudgeError as error:
                return error

        def done(answer: object) -> None:
            self._looking = False
            if self in self.box.stack:  # Back was not pressed meanwhile
                self._answered(answer)
            self.box.on_page()

        self._clear()
        self._looking = True
        self.box.aside(caught, done)

    def _answered(self, answer: object) -> None:
        match answer:
            case Unlocked():
                close(self.box, self)
                self._then()
            case WrongPin(tries_left):
                self.box.refused()
                self._said = self.box.texts("pin.wrong", tries=tries_left)
            case Locked(seconds):
                self.box.refused()
                self._wait(seconds)
            case JudgeError():
                close(self.box, self)
                self.box.push(TextReader(self.box, self.box.texts("pin.title"), str(answer)))
            case int():
                self._wait(answer)

    def _wait(self, seconds: int) -> None:
        self._open_at = self.box.now_ms() + 1000 * seconds
        self._said = ""
