"""The contract of views and box: a view shows a page and takes keys, the box shows views.

:class:`Ui` is all that most views need. :class:`Host` adds the matches on the disk and the ways between them,
for the views that open something else. :class:`device.menus.Box` is both.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Protocol

from device.match import Archive, Correction, Desk, Judge, Library, Pairings, PastMatch, Referee, Replay
from device.match import Header as MatchHeader
from device.screen import Page, PageHeader
from device.sensors.host import Lesson, Sizes, Taught
from device.stick import Stick
from device.texts import Texts
from device.update import Care
from device.voices import Voices
from engines.facts import Use
from engines.words import Words

Aside = Callable[[Callable[[], object], Callable[[object], None]], None]
"""Does slow work elsewhere, then calls what is done with its answer."""


Teach = Callable[[Lesson, Sizes, Callable[[Taught], None]], None]
"""Has a camera learn by the picture it sees now, then calls what is done with its answer."""


class View(ABC):
    """One page on the stack; the one on top is shown and gets the keys.

    With ``sample`` this view and those above it show a match with a made-up copy, and are marked. One
    ``of_sensor`` asks what a reading of what was ``seen`` means, and goes when that is read again.
    """

    sample = False
    of_sensor = False
    seen = ""
    asks_others = False
    """Whether it asks people beside the seat whose turn it is: then a keypad of one seat does nothing."""
    takes_text = False
    """Whether :meth:`type` takes what was typed on a keyboard."""
    typed = ""
    """What was entered so far sign by sign; Undo takes the last one away, as Back does."""

    def __init__(self, box: Ui) -> None:
        """Every view belongs to a box."""
        self.box = box

    @abstractmethod
    def page(self) -> Page:
        """Return the page to show now."""

    @abstractmethod
    def turn(self, steps: int) -> None:
        """The encoder was turned."""

    @abstractmethod
    def ok(self) -> None:
        """OK was pressed."""

    def back(self) -> None:
        """Back was pressed: one level up."""
        self.box.pop()

    def type(self, text: str) -> None:  # noqa: B027 – most views ask for no text
        """A whole text was typed elsewhere than with the knob."""

    def due_ms(self) -> float | None:
        """Time until the page changes by itself; None where it does not."""
        return None

    def changed(self) -> None:  # noqa: B027 – most views show nothing of the match
        """The match has moved on, here or elsewhere."""


def around(steps: int, stops: int) -> int:
    """The shorter way round a circle of ``stops``, right of both where they are alike."""
    return (steps + (stops - 1) // 2) % stops - (stops - 1) // 2


class Ui(Protocol):
    """What every view may use of the box that shows it."""

    desk: Desk
    """The door to the match."""
    voices: Voices
    """The languages here, and the one that the box speaks."""
    stack: list[View]
    """The open views, the one on top last."""
    draft: Correction | None
    """The correction of the match on the screen that was begun and not agreed to."""

    @property
    def texts(self) -> Texts:
        """The texts that belong to no game."""

    @property
    def game_texts(self) -> dict[str, Texts]:
        """The texts of each game, by its id."""

    def push(self, view: View) -> None:
        """Show a view on top."""

    def pop(self) -> None:
        """Leave the view on top; home cannot be left."""

    def home(self) -> None:
        """Back to the home screen; a match that is open stays open."""

    def show_match(self) -> View | None:
        """Back to the match from whatever was opened over it; None where no match is shown."""

    def header(self, left: str = "", *, beside: bool = True) -> PageHeader:
        """The header of a page: ``left`` is its title, ``beside`` it stand the scores."""

    def pages(self, page: Page, /) -> int:
        """Return how many screens a page takes."""

    def on_page(self) -> None:
        """The page may have changed without a key."""

    def toast(self, text: str, *, urgent: bool = False, about: str = "") -> None:
        """Show a short message over the page, ``about`` what a sensor reads: until that is read again."""

    def refused(self) -> None:
        """Play the cue of a refusal."""

    def unlock(self, then: Callable[[], None]) -> None:
        """Ask for the judge's PIN; ``then`` is called once it was right."""

    def now_ms(self) -> float:
        """A clock that never jumps."""

    def time(self, seconds: int) -> str:
        """A moment, in seconds since 1970, as people write it."""

    def evening(self, seconds: int) -> str:
        """Return a time for a list, without the year: ``Sun 22 Nov 21:14``."""


class Host(Ui, Protocol):
    """What the views may use that open matches, look into past ones and set things up."""

    library: Library
    archive: Archive
    judge: Judge
    pairings: Pairings
    address: str
    """The page's address for phones, empty where none reaches it."""
    uses: tuple[Use, ...]
    """What a copy's facts are used for here; those are asked for."""
    chosen: tuple[str, ...]
    """What the keys are about to record, in words, as far as people chose it themselves, each entry alone."""
    form: View | None
    """The form of a new match as far as it is filled in."""
    aside: Aside
    power: Callable[[], str] | None
    """Switches off and says what happens; None where that cannot be."""
    stick: Stick | None
    """What people carry away; None where there is no place for one."""
    care: Care | None
    """What the box can have done to itself; None where it was not installed as a package."""

    @property
    def told_last(self) -> str:
        """Return what was told last, with what somebody had just chosen; empty where nothing was."""

    lessons: Sequence[Lesson]
    """All that the cameras can be taught."""
    teach: Teach

    def spoken(self) -> None:
        """Show everything in the language that was just chosen."""

    def words_of(self, replay: Replay) -> Words:
        """Return the words of a match."""

    def play(self, referee: Referee) -> None:
        """Show a match that is open."""

    def open(self, header: MatchHeader) -> None:
        """Start a match and show it, or say why it cannot be."""

    def continue_match(self, past: PastMatch) -> None:
        """Go on with a past match, or say why it cannot be."""

    def rematch(self) -> None:
        """Open the same game again, with the same players and options; the next player starts."""

    def status(self) -> View:
        """A page with the state of each part."""

    def clock_page(self, referee: Referee, words: Words) -> View:
        """The players' clock of the match that is open."""
