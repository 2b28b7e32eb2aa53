"""Consent before a ruling: of each seat by name, of all at once, or of a judge with the PIN.

The PIN is entered with the wheel; it is never shown, kept or logged in clear. Checking it is slow on a small
computer, so it runs aside.

Each question first shows the full effect. The cursor starts on *no*. Back goes a page back; from the first
page it leaves, and nothing is ruled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import msgspec
from msgspec.structs import replace

from device.match import JUDGE, JudgeError, Locked, Referee, Unlocked, WrongPin
from device.menus.ui import Ui, View
from device.menus.views import Act, TextReader, close
from device.screen import ListPage, NoticePage, Page, TextPage, WheelPage
from device.texts import reason
from engines.contract import SEATS

DIGITS = "0123456789"
FEWEST_DIGITS, MOST_DIGITS = 4, 8
"""The fewest and most digits of a PIN."""

HIDDEN = "●"
ELSEWHERE = "·"
"""Choices on the wheel beside the digit under the cursor."""


def unlock(box: Ui, act: Callable[[], None], asked: str = "") -> None:
    """Ask for the PIN and call ``act`` after the right one, which does what is ``asked``; Back leaves.

    A page tells people if no PIN is set or none can be tried now.
    """
    if box.judge.is_set:
        box.push(view := Unlocking(box, act, asked))
        view.begin()
    else:
        box.push(TextReader(box, box.texts("pin.title"), box.texts("pin.not_set")))


class Unlocking(View):
    """The entry of a PIN, digit by digit; Back removes the last one."""

    def __init__(self, box: Ui, act: Callable[[], None], asked: str) -> None:
        """Ask for the PIN; call ``act`` after the right one."""
        super().__init__(box)
        self.asked = asked
        self._act = act
        self._said = ""
        self._open_at = 0.0  # until then nobody may try
        self._looking = False
        self._clear()

    def _clear(self) -> None:
        self._digits = ""
        self._index = 0

    # The page

    def page(self) -> Page:
        """Show the wheel with only the digit under the cursor, or the reason why no digit can be entered."""
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
        """Return the time until the page changes by itself."""
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
            if len(self._digits) < MOST_DIGITS:
                self._digits += DIGITS[self._index]
            # The cursor leaves the digit just taken, so that nobody reads it.
            self._index = 0 if len(self._digits) < MOST_DIGITS else len(DIGITS)
        elif len(self._digits) < FEWEST_DIGITS:
            self.box.toast(self.box.texts("pin.too_short", least=FEWEST_DIGITS, most=MOST_DIGITS))
        else:
            self._look(partial(self.box.judge.unlock, self._digits))

    def back(self) -> None:
        """Remove the last digit, or leave."""
        if self._digits:
            self._digits = self._digits[:-1]
        else:
            close(self.box, self)

    # The outcome

    def begin(self) -> None:
        """Check whether a PIN can be tried now."""
        self._look(self.box.judge.find_wait_s)

    def _look(self, work: Callable[[], object]) -> None:
        def attempt() -> object:
            try:
                return work()
            except JudgeError as error:
                return error

        def take(answer: object) -> None:
            self._looking = False
            if self in self.box.stack:  # Back was not pressed meanwhile
                self._take_answer(answer)
            self.box.on_page()

        self._clear()
        self._looking = True
        self.box.aside(attempt, take)

    def _take_answer(self, answer: object) -> None:
        match answer:
            case Unlocked():
                close(self.box, self)
                self._act()
            case WrongPin(tries_left):
                self.box.play_refusal()
                self._said = self.box.texts("pin.wrong", tries=tries_left)
            case Locked(seconds):
                self.box.play_refusal()
                self._wait(seconds)
            case JudgeError():
                close(self.box, self)
                t = self.box.texts
                self.box.push(TextReader(self.box, t("pin.title"), reason(answer, t)))
            case int():
                self._wait(answer)

    def _wait(self, seconds: int) -> None:
        self._open_at = self.box.now_ms() + 1000 * seconds
        self._said = ""


def watch_match(referee: Referee) -> Callable[[], bool]:
    """Return a function that tells if a match or its affairs have changed since now; notes and readings
    change nothing.
    """

    def list_affairs() -> tuple[object, ...]:
        affairs = referee.replay.affairs
        return affairs.paused, affairs.call is None, affairs.abandoned, affairs.views

    point, affairs = referee.replay.match.points[-1], list_affairs()
    return lambda: referee.replay.match.points[-1] is not point or list_affairs() != affairs


class Vote(msgspec.Struct, frozen=True):
    """A question of consent, and the message after a no."""

    prompt: str
    refused: str


def _name_subject(what: str) -> str:
    """Return the line of an effect that says what is asked; the others tell more of it."""
    return what.partition("\n")[0]


class Consent(View):
    """A view of the effect, page by page; then the questions, until one answer is no or all are yes."""

    asks_others = True

    def __init__(
        self, box: Ui, what: str, asked: Sequence[Vote], act: Act, decline: Act | None = None
    ) -> None:
        """Ask for consent; call ``act`` after the last yes, ``decline`` after a no and if Back leaves."""
        super().__init__(box)
        self.asked = _name_subject(what)
        self._words = box.words
        self._what = what
        self._asked = list(asked)
        self._act = act
        self._decline = decline
        self.moved_on = watch_match(box.referee)
        self._reading = True
        self._index = 0  # of the text page, then of the answer

    def page(self) -> Page:
        """Return the page of the effect, or the question."""
        header = self.box.header(self._words("consent.title"))
        if self._reading:
            return TextPage(header, self._what, self._index)
        items = tuple(self._words(key) for key in ("consent.no", "consent.yes", "consent.read"))
        return ListPage(header, self._asked[0].prompt, items, self._index)

    def turn(self, steps: int) -> None:
        """Turn pages, or move the cursor."""
        if self._reading:
            self._index = max(0, min(self._index + steps, self._last))
        else:
            self._index = (self._index + steps) % 3

    @property
    def _last(self) -> int:
        return self.box.pages(self.page()) - 1

    def ok(self) -> None:
        """Go to the next page, after the last to the question; there, take the answer under the cursor."""
        if not self.considered:
            return
        if self._reading and self._index < self._last:
            self._index += 1
        elif self._reading:
            self._show(reading=False)
        elif self._index == 2:
            self._show(reading=True)
        elif self._index == 0:
            self._leave(self._asked[0].refused)
        elif len(self._asked) > 1:
            del self._asked[0]
            self._show(reading=False)
        else:
            close(self.box, self)
            self._act()

    def _show(self, *, reading: bool) -> None:
        self._reading = reading
        self._index = 0
        self.appear()

    def back(self) -> None:
        """Go from the question to its pages, from a page to the one before, from the first away."""
        if not self._reading:
            self._show(reading=True)
        elif self._index:
            self._index -= 1
        else:
            self._leave()

    def _leave(self, why: str = "") -> None:
        """Leave without a yes: call ``decline`` if given, else say ``why``."""
        close(self.box, self)
        if self._decline:
            self._decline()
        elif why:
            self.box.toast(why)


def ask(
    box: Ui,
    what: str,
    act: Callable[[str], None],
    *,
    joint: bool = False,
    decline: Act | None = None,
) -> None:
    """Show the effect ``what``, ask for consent, and after a yes call ``act`` with the people who agreed.

    In a refereed match it first asks for the judge's PIN, and ``act`` gets
    :data:`device.match.rulings.JUDGE`; otherwise it gets the seats' letters. With ``joint`` one question goes
    to everybody at once. After a no, or once the match has moved on, a message says why and ``act`` is not
    called. After a no, or Back, ``decline`` is called instead if given.
    """
    words = box.words

    def push(by: str, *asked: Vote) -> None:
        box.push(Consent(box, what, asked, partial(act, by), decline))

    if box.referee.replay.header.refereed:
        moved_on = watch_match(box.referee)

        def ask_judge() -> None:
            if moved_on():
                box.toast(words("consent.moved_on"))
            else:
                push(JUDGE, Vote(words("consent.judge"), words("consent.not_judge")))

        unlock(box, ask_judge, _name_subject(what))
        return
    by = "".join(SEATS[: len(words.names)])
    if joint:
        push(by, Vote(words("consent.all"), words("consent.not_all")))
    else:
        keys = "consent.seat", "consent.not_seat"
        push(by, *(Vote(*(words(key, name=name) for key in keys)) for name in words.names))
