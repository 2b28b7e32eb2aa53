"""The contract of views and box: a view shows a page and takes keys, the box shows views.

:class:`Ui` is the box as its views know it; :class:`device.menus.Box` completes it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import msgspec

from device.keys import Cue
from device.match import (
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
"""A function that does slow work elsewhere, then calls back with its result."""

Teach = Callable[[Lesson, Sizes, Callable[[Taught], None]], None]
"""A function that lets a camera learn from its present picture, then calls back with the result."""


class RoundHere(msgspec.Struct, frozen=True):
    """The running round of an event: its number (0 if no desk has told it), this table, and the players
    planned here, in the order of seats.
    """

    number: int
    table: str
    names: tuple[str, ...] = ()


class View:
    """One page on the stack; the one on top is shown and gets the keys.

    With ``sample`` this view and those above it show a match with a made-up copy, and are marked. A view
    ``of_sensor`` asks about a reading of ``seen``, and goes when that is read again.
    """

    sample = False
    of_sensor = False
    seen = ""
    asks_others = False
    """True if it asks people beside the seat whose turn it is: a keypad of one seat then does nothing."""
    asked = ""
    """The question that waits for people's yes, in words; empty for none. The box says if it drops it."""
    first = ""
    """The key of the text that says to answer this before a key leads away; empty if one may."""
    takes_text = False
    """True if :meth:`type` takes text from a keyboard."""
    typed = ""
    """The signs entered so far; Undo removes the last one, as Back does."""
    in_sight_ms: float | None = None
    """The time at which the present page came in sight; None before that."""

    def __init__(self, box: Ui) -> None:
        """Take the box that the view belongs to."""
        self.box = box
        self.moved_on: Callable[[], bool] = lambda: False
        """True once the match has changed what the view asks about: a yes would be to something else."""

    def page(self) -> Page:
        """Return the page to show now."""
        raise NotImplementedError

    def turn(self, steps: int) -> None:
        """Take a turn of the encoder; some views ignore it."""

    def ok(self) -> None:
        """Take OK: by default it leaves, as Back does."""
        self.back()

    def back(self) -> None:
        """Take Back: remove the last sign typed, or else go one level up."""
        if self.typed:
            self.typed = self.typed[:-1]
        else:
            self.box.pop()

    def type(self, text: str) -> None:
        """Take a whole text that was typed elsewhere than with the knob."""

    def due_ms(self) -> float | None:
        """Return the time until the page changes by itself, None if it does not."""
        return None

    def follow(self) -> None:
        """Follow the match, which has moved on, here or elsewhere; leave, with a message, if
        :attr:`moved_on`.
        """
        if self.moved_on():
            self.box.stack.remove(self)
            self.box.toast(self.box.texts("consent.moved_on"))

    def come_in_sight(self) -> None:
        """Note the time, unless the present page is already in sight."""
        if self.in_sight_ms is None:
            self.in_sight_ms = self.box.now_ms()

    def appear(self) -> None:
        """Start the moment of :attr:`considered` again: the page has changed."""
        self.in_sight_ms = None

    @property
    def considered(self) -> bool:
        """True if the page has been in sight for :data:`MOMENT_MS`."""
        return self.in_sight_ms is not None and self.box.now_ms() - self.in_sight_ms >= MOMENT_MS


def find_shortest_turn(steps: int, stops: int) -> int:
    """Return the shortest turn that is equal to ``steps`` on a circle of ``stops``; of two the one to the
    right.
    """
    return (steps + (stops - 1) // 2) % stops - (stops - 1) // 2


def list_asked_seats(replay: Replay) -> tuple[int, ...]:
    """Return the asked seats; none if the match is over or the table is asked."""
    pending = replay.match.pending
    return pending.seats if isinstance(pending, Decide) and not replay.over else ()


class Ui:
    """The box as its views know it: the stack of views, the words, and all that the keys may reach."""

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

        ``pages`` returns the number of screens of a page, ``now_ms`` is a clock in ms that never jumps.
        ``aside`` does slow work elsewhere, by default at once.
        """
        self.door, self.library, self.voices = door, door.library, voices
        self.pages, self.now_ms = pages, now_ms
        self.aside: Aside = aside or (lambda work, done: done(work()))
        self.on_page: Callable[[], None] = lambda: None
        """Called whenever the page may have changed."""
        self.on_cue: Callable[[Cue], None] = lambda _: None
        """Called with every sound or light."""
        self.judge = Judge(self.library.state_dir, self.library.stamp)
        self.pairings = Pairings(self.library.state_dir)
        self.address = ""
        """The page's address for phones, empty if none can reach it."""
        self.uses: tuple[Use, ...] = (Use.PLAY,)
        """The uses of a copy's facts here; the box asks for those facts."""
        self.lessons: Sequence[Lesson] = ()
        """All lessons that the cameras can learn."""
        self.teach: Teach = lambda *_: None
        self.restart: Callable[[], object] = lambda: None
        """Function that restarts the box soon, once people have read the page."""
        self.state: Callable[[], list[str]] = list
        """Function that returns the state of each part, a line each."""
        self.power: Callable[[], str] | None = None
        """Function that switches off and says what happens, or None if there is none."""
        self.stick: Stick | None = None
        """The stick that people carry away; None without a place for one."""
        self.care: Care | None = None
        """Updates and resets of the box; None if it was not installed as a package."""
        self.chosen: tuple[str, ...] = ()
        """The choices that the keys are about to record, in words, without forced ones."""
        self.round: RoundHere | None = None
        """The round of an event, as its desk last told it."""
        self.round_ends_ms: float | None = None
        """The time at which that round ends; None while its clock does not run."""
        self.form: View | None = None
        """The form of a new match, as filled in so far."""
        self._correction: Correction | None = None

    @property
    def draft(self) -> Correction | None:
        """The pending correction of the match on the screen, not yet agreed to; a restart keeps it."""
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

    @property
    def referee(self) -> Referee:
        """The open match; there must be one."""
        assert self.library.referee
        return self.library.referee

    @property
    def words(self) -> Words:
        """The words of the open match."""
        return self.words_of(self.referee.replay)

    def words_of(self, replay: Replay) -> Words:
        """Return the words of a match."""
        return self.voices.box.words(replay)

    def write_time(self, seconds: int) -> str:
        """Return a moment, in seconds since 1970, as people write it, in the box's own time zone."""
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))

    def write_moment(self, seconds: int) -> str:
        """Return a moment for a list, without the year: ``Sun 22 Nov 21:14``."""
        return self.texts.moment("evening", seconds)

    def tell_round(self) -> str:
        """Return the time left of an event's round, in words; empty if none is measured."""
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

    def play_refusal(self) -> None:
        """Play the cue of a refusal."""
        self.on_cue(Cue.REFUSED)

    # Defined by Box, which knows the views

    def header(self, left: str = "", *, scores: bool = True) -> PageHeader:
        """Return the header of a page: ``left`` is its title; with ``scores`` it has the scores."""
        raise NotImplementedError

    def toast(self, text: str, *, urgent: bool = False, about: str = "") -> None:
        """Show a short message over the page; if ``about`` a sensor's subject, until that is read again."""
        raise NotImplementedError

    def go_home(self) -> None:
        """Go back to the home screen; an open match stays open."""
        raise NotImplementedError

    def show_match(self) -> View | None:
        """Return to the match from the views above it; return None if no match is shown."""
        raise NotImplementedError

    def play(self, referee: Referee) -> None:
        """Show an open match."""
        raise NotImplementedError

    def open(self, header: MatchHeader) -> None:
        """Start a match and show it, or say why it cannot start."""
        raise NotImplementedError

    def continue_match(self, past: PastMatch) -> None:
        """Continue a past match, or say why it cannot continue."""
        raise NotImplementedError

    def renew_pages(self) -> None:
        """Show everything in the newly chosen language."""
        raise NotImplementedError
