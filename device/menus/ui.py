"""The contract of views and box: a view shows a page and takes keys, the box shows views.

:class:`Ui` is the box as its views know it; :class:`device.menus.Box` completes it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import msgspec

from device.keys import Cue
from device.match import (
    Archive,
    Correction,
    Judge,
    MatchDoor,
    Pairings,
    PastMatch,
    Referee,
    Replay,
)
from device.match import Header as MatchHeader
from device.screen import Page, PageHeader
from device.sensors.host import Lesson, Sizes, Taught
from device.stick import Stick
from device.texts import Texts
from device.update import Care
from device.voices import Voices
from engines.contract import Decide
from engines.facts import Use
from engines.words import Words

MOMENT_MS = 400
"""Time for which a page must be in sight, or an entry recorded, before an OK counts: people need to look."""

MINUTE_MS = 60_000

Aside = Callable[[Callable[[], object], Callable[[object], None]], None]
"""Does slow work elsewhere, then calls back with its result."""

Teach = Callable[[Lesson, Sizes, Callable[[Taught], None]], None]
"""Has a camera learn by the picture it sees now, then calls back with the result."""


class RoundHere(msgspec.Struct, frozen=True):
    """The round of an event that runs: its number, 0 where no desk has told it, which table this is, and who
    is planned to sit here, in the order of seats.
    """

    number: int
    table: str
    names: tuple[str, ...] = ()


class View:
    """One page on the stack; the one on top is shown and gets the keys.

    With ``sample`` this view and those above it show a match with a made-up copy, and are marked. One
    ``of_sensor`` asks what a reading of what was ``seen`` means, and goes when that is read again.
    """

    sample = False
    of_sensor = False
    seen = ""
    asks_others = False
    """True if it asks people beside the seat whose turn it is: then a keypad of one seat does nothing."""
    takes_text = False
    """True if :meth:`type` takes what was typed on a keyboard."""
    typed = ""
    """What was entered so far sign by sign; Undo takes the last one away, as Back does."""
    in_sight_ms: float | None = None
    """The time at which the present page came in sight; None before that."""

    def __init__(self, box: Ui) -> None:
        """Take the box that the view belongs to."""
        self.box = box

    def page(self) -> Page:
        """Return the page to show now."""
        raise NotImplementedError

    def turn(self, steps: int) -> None:
        """Take a turn of the encoder; there may be nothing to turn to."""

    def ok(self) -> None:
        """Take OK: by itself it leaves, as Back does."""
        self.back()

    def back(self) -> None:
        """Take Back: the last sign typed goes, else one level up."""
        if self.typed:
            self.typed = self.typed[:-1]
        else:
            self.box.pop()

    def type(self, text: str) -> None:
        """Take a whole text that was typed elsewhere than with the knob."""

    def due_ms(self) -> float | None:
        """Time until the page changes by itself; None where it does not."""
        return None

    def changed(self) -> None:
        """Follow the match, which has moved on, here or elsewhere."""

    def come_in_sight(self) -> None:
        """Note the time, unless the present page has been in sight already."""
        if self.in_sight_ms is None:
            self.in_sight_ms = self.box.now_ms()

    def appear(self) -> None:
        """Begin the moment of :attr:`considered` again: something new is shown."""
        self.in_sight_ms = None

    @property
    def considered(self) -> bool:
        """Return True if what is shown has been in sight for :data:`MOMENT_MS`."""
        return self.in_sight_ms is not None and self.box.now_ms() - self.in_sight_ms >= MOMENT_MS


def shortest_turn(steps: int, stops: int) -> int:
    """Return the shorter way round a circle of ``stops``, which ``steps`` goes; of two alike to the right."""
    return (steps + (stops - 1) // 2) % stops - (stops - 1) // 2


def seats_asked(replay: Replay) -> tuple[int, ...]:
    """Return the seats that are asked now; none once a match is over, and where the table is asked."""
    pending = replay.match.pending
    return pending.seats if isinstance(pending, Decide) and not replay.over else ()


class Ui:
    """The box as its views know it: the stack of views, the words, and what the keys may reach."""

    stack: list[View]
    """The open views, the one on top last."""

    def __init__(
        self,
        door: MatchDoor,
        voices: Voices,
        pages: Callable[[Page], int],
        now_ms: Callable[[], float],
        aside: Aside | None,
    ) -> None:
        """Show nothing yet.

        ``pages`` tells how many screens a page takes, ``now_ms`` is a clock in ms that never jumps. ``aside``
        does slow work elsewhere, by default at once.
        """
        self.door, self.library, self.voices = door, door.library, voices
        self.pages, self.now_ms = pages, now_ms
        self.aside: Aside = aside or (lambda work, done: done(work()))
        self.on_page: Callable[[], None] = lambda: None
        """Called whenever the page may have changed."""
        self.on_cue: Callable[[Cue], None] = lambda _: None
        """Called with every sound or light."""
        self.archive = Archive()
        self.judge = Judge(self.library.state_dir, self.library.stamp)
        self.pairings = Pairings(self.library.state_dir)
        self.address = ""
        """The page's address for phones, empty where none reaches it."""
        self.uses: tuple[Use, ...] = (Use.PLAY,)
        """The uses of a copy's facts here; those are asked for."""
        self.lessons: Sequence[Lesson] = ()
        """All that the cameras can be taught."""
        self.teach: Teach = lambda *_: None
        self.restart: Callable[[], object] = lambda: None
        """Starts the box anew soon, once people have read what it shows."""
        self.power: Callable[[], str] | None = None
        """Switches off and says what happens; None where that cannot be."""
        self.stick: Stick | None = None
        """The stick that people carry away; None where there is no place for one."""
        self.care: Care | None = None
        """Updates and resets of the box; None where it was not installed as a package."""
        self.chosen: tuple[str, ...] = ()
        """The choices that the keys are about to record, in words, as far as people made them themselves."""
        self.round: RoundHere | None = None
        """The round of an event as its desk told it last."""
        self.round_ends_ms: float | None = None
        """The time at which that round is over; None while its clock does not run."""
        self.form: View | None = None
        """The form of a new match as far as it is filled in."""
        self._correction: Correction | None = None

    @property
    def draft(self) -> Correction | None:
        """The correction of the match on the screen that was begun and not agreed to; a restart keeps it."""
        return self._correction

    @draft.setter
    def draft(self, draft: Correction | None) -> None:
        self._correction = draft
        self.library.keep_correction(draft.edits if draft else ())

    @property
    def texts(self) -> Texts:
        """The texts that belong to no game."""
        return self.voices.box.texts

    @property
    def game_texts(self) -> dict[str, Texts]:
        """The texts of each game, by its id."""
        return self.voices.box.games

    def words_of(self, replay: Replay) -> Words:
        """Return the words of a match."""
        return self.voices.box.words(replay)

    def time(self, seconds: int) -> str:
        """Return a moment, in seconds since 1970, as people write it, in the box's own time zone."""
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))

    def evening(self, seconds: int) -> str:
        """Return a moment for a list, without the year: ``Sun 22 Nov 21:14``."""
        return self.texts.moment("evening", seconds)

    def round_left(self) -> str:
        """Return the time left of an event's round, in words; empty where none is measured."""
        if self.round is None or self.round_ends_ms is None:
            return ""
        minutes = int((self.round_ends_ms - self.now_ms()) // MINUTE_MS)
        key = "round.left" if minutes >= 0 else "round.up"
        return self.texts(key, round=self.round.number, minutes=minutes)

    def push(self, view: View) -> None:
        """Show a view on top."""
        self.stack.append(view)

    def pop(self) -> None:
        """Leave the view on top; home cannot be left."""
        if len(self.stack) > 1:
            self.stack.pop()

    def refused(self) -> None:
        """Play the cue of a refusal."""
        self.on_cue(Cue.REFUSED)

    # Defined where the views are known that it takes

    def header(self, left: str = "", *, beside: bool = True) -> PageHeader:
        """Return the header of a page: ``left`` is its title, ``beside`` it stand the scores."""
        raise NotImplementedError

    def toast(self, text: str, *, urgent: bool = False, about: str = "") -> None:
        """Show a short message over the page, ``about`` what a sensor reads: until that is read again."""
        raise NotImplementedError

    def home(self) -> None:
        """Go back to the home screen; a match that is open stays open."""
        raise NotImplementedError

    def status(self) -> View:
        """Return a page with the state of each part."""
        raise NotImplementedError

    def show_match(self) -> View | None:
        """Come back to the match from whatever was opened over it; None where no match is shown."""
        raise NotImplementedError

    def play(self, referee: Referee) -> None:
        """Show a match that is open."""
        raise NotImplementedError

    def open(self, header: MatchHeader) -> None:
        """Start a match and show it, or say why it cannot be."""
        raise NotImplementedError

    def continue_match(self, past: PastMatch) -> None:
        """Go on with a past match, or say why it cannot be."""
        raise NotImplementedError

    def spoken(self) -> None:
        """Show everything in the language that was just chosen."""
        raise NotImplementedError
