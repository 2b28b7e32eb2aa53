"""The stack of views, what stands over it for a moment, and what every page's header says."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from device.box import readings
from device.box.home import Home, Lost, status_text
from device.box.messages import Messages
from device.box.play import Play
from device.box.readings import Proposal
from device.box.views import Reader, View
from device.cues import Cue
from device.events import Hold, Holding, Key, KeyEvent, Press, Turn
from device.journal_errors import JournalError
from device.pages import Header, Mark, NoticePage, Page
from device.referee import Referee
from device.screen.draw import pages_of
from device.story import Header as MatchHeader
from device.story import Story
from device.table import Past, Table
from device.texts import Texts
from device.words import Words, scores
from engines import GAMES
from engines.contract import Decide
from engines.errors import EngineError

NEVER = 2.0
"""A confidence that no reading has."""


class Box:
    """Everything a person at the box sees and does.

    ``key`` takes an event, ``page`` gives the page to show; :attr:`on_page` is called whenever that may have
    changed, :attr:`on_cue` with every sound or light. ``now_ms`` is a clock for messages.
    """

    def __init__(
        self,
        table: Table,
        *,
        language: str = "en",
        now_ms: Callable[[], float] = lambda: time.monotonic() * 1000,
        status: Callable[[], list[str]] = list,
        power_off: Callable[[], str] | None = None,
        pages: Callable[[Page], int] = pages_of,
        accept_from: float = NEVER,
        strict: bool = False,
    ) -> None:
        """``status`` gives the lines of the status page, ``power_off`` switches off and says what happens.

        ``pages`` tells how many screens a page takes on whatever shows it. A reading that has one meaning and
        at least the confidence ``accept_from`` counts without being asked about. With ``strict`` a missing
        text is an error, as tests want it.
        """
        self.table = table
        self.game_texts = {game: Texts.load(language, game, strict=strict) for game in GAMES}
        self.texts = Texts.load(language, strict=strict)
        self.on_page: Callable[[], None] = lambda: None
        self.on_cue: Callable[[Cue], None] = lambda _: None
        self.warning = ""
        self.power = power_off
        self.pages = pages
        self.accept_from = accept_from
        self._status = status
        self._messages = Messages(now_ms)
        self._holding: Holding | None = None
        self._asked: tuple[int, ...] = ()
        self._recorded = 0
        self.stack: list[View] = [Home(self)]
        table.on_change = self.changed
        if table.referee and not table.referee.over:
            self.play(table.referee)
        if table.problems:
            self.push(Reader(self, self.texts("setup.problems"), "\n".join(table.problems)))

    # What is shown

    def page(self) -> Page:
        """The page to show now: an urgent message, the bar of a key being held, or the view on top."""
        view = self.stack[-1]
        if self._holding:
            text = self.texts(f"hold.{self._holding.key.value}")
            return NoticePage(self.header(), text, fraction=self._holding.fraction)
        if message := self._messages.shown:
            return NoticePage(self.header(), message.text, message.urgent)
        return view.page()

    def due_ms(self) -> float | None:
        """How long until a message goes away by itself; None while there is none."""
        return self._messages.due_ms()

    def header(self, left: str = "") -> Header:
        """The header of any page: ``left``, how far the last entry has come, and in a match the scores."""
        referee = self.table.referee
        mark, right = Mark.NONE, ""
        if referee:
            if any(isinstance(view, Play) for view in self.stack):
                right = ":".join(map(str, scores(referee)))
            if referee.lost:
                mark = Mark.FAILED
            elif referee.waiting:
                mark = Mark.SAVING
            elif referee.head:
                mark = Mark.RECORDED
        return Header(left, right, mark, self.table.simulated, self.warning)

    # The keys

    def key(self, event: KeyEvent) -> None:
        """Take what a person did."""
        self._holding = event if isinstance(event, Holding) else None
        view = self.stack[-1]
        if isinstance(event, Hold):
            self._held(event.key)
        elif not self._holding and not self._messages.key_pressed():
            if isinstance(event, Turn):
                view.turn(event.steps)
            elif isinstance(event, Press):
                self._pressed(event.key, view)
        self.on_page()

    def _pressed(self, key: Key, view: View) -> None:
        if key is Key.OK:
            view.ok()
        elif key is Key.BACK:
            view.back()
        elif key is Key.UNDO:
            if self._unsettled:
                self.toast(self.texts("lost.first"))
            elif play := self._show_play():
                play.undo()
            else:
                self.toast(self.texts("undo.nothing"))
        else:
            self.toast(self.texts("call.hold"))

    def _held(self, key: Key) -> None:
        if key is Key.CALL:
            self._call()
        elif self._unsettled:
            self.toast(self.texts("lost.first"))
        elif isinstance(play := self.stack[-1], Play):
            self.push(play.menu())
        elif not self._show_play():
            self.home()

    def _call(self) -> None:
        """The referee is called: noted in the record and shown until somebody sees to it."""
        if self.table.referee and not self._unsettled:
            self.table.referee.note("call", channel="keys")
        self.on_cue(Cue.CALL)
        self.push(Reader(self, self.texts("call.title"), self.texts("call.text")))

    def propose(self, proposal: Proposal) -> None:
        """Put a sensor's reading to the people at the box."""
        referee = self.table.referee
        if not referee or self._unsettled:
            return
        play = self._show_play()
        if not play:
            self.play(referee)
            play = self._show_play()
        if play:
            readings.show(self, play, proposal)
            self.on_page()

    # The stack

    def push(self, view: View) -> None:
        """Show a view on top."""
        self.stack.append(view)

    def pop(self) -> None:
        """Leave the view on top; home cannot be left."""
        if len(self.stack) > 1:
            self.stack.pop()

    def home(self) -> None:
        """Back to the home screen; a match that is open stays open."""
        self.stack = [Home(self)]

    def play(self, referee: Referee) -> None:
        """Show a match."""
        self._recorded = referee.recorded
        self.stack = [Home(self), Play(self, referee, self.words_of(referee))]
        self._asked = self._seats(referee)

    def words_of(self, story: Story) -> Words:
        """What things are called in a match."""
        return Words(self.game_texts[story.header.game], story.game, story.names)

    @property
    def _unsettled(self) -> bool:
        """Whether people must first decide about entries that were not recorded."""
        return any(isinstance(view, Lost) for view in self.stack)

    def _show_play(self) -> Play | None:
        """Come back to the match from whatever was opened over it; None where no match is shown."""
        play = next((view for view in self.stack if isinstance(view, Play)), None)
        if play:
            del self.stack[self.stack.index(play) + 1 :]
        return play

    # What the views ask for

    def open(self, header: MatchHeader) -> None:
        """Start a match and show it; a disk that refuses is said."""
        self._try(lambda: self.table.open_match(header))

    def continue_match(self, past: Past) -> None:
        """Go on with a past match; one that cannot be opened is said to be."""
        self._try(lambda: self.table.continue_match(past))

    def _try(self, opening: Callable[[], Referee]) -> None:
        try:
            self.play(opening())
        except (JournalError, EngineError, ValueError, OSError) as error:
            self.refused()
            self.push(Reader(self, self.texts("home.new"), self.texts("home.cannot", why=str(error))))

    def rematch(self) -> None:
        """The same players, game and options again, the other one starting."""
        referee = self.table.referee
        if referee:
            header = referee.header
            start = (header.setup.start + 1) % len(header.names)
            self.open(replace(header, setup=replace(header.setup, start=start)))

    def status(self) -> View:
        """How the box's parts are."""
        return Reader(self, self.texts("setup.status"), status_text(self, self._status()))

    def toast(self, text: str, *, urgent: bool = False) -> None:
        """Show a short message over the page, see :mod:`device.box.messages`."""
        self._messages.say(text, urgent=urgent)
        self.on_page()

    def refused(self) -> None:
        """Something was refused: say so without looking."""
        self.on_cue(Cue.REFUSED)

    def time(self, seconds: int) -> str:
        """A moment as people write it, in the box's own time zone."""
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))

    # What happens elsewhere

    def changed(self) -> None:
        """The match has moved on: by a key, the line, or the disk."""
        referee = self.table.referee
        if not referee:
            self.on_page()
            return
        if referee.lost and not self._unsettled:
            self.on_cue(Cue.ERROR)
            self.push(Lost(self, referee))
        for view in self.stack:
            view.changed()
        if referee.recorded > self._recorded:
            self.on_cue(Cue.RECORDED)
        self._recorded = referee.recorded
        asked = self._seats(referee)
        if asked != self._asked and asked:
            self.on_cue(Cue.YOUR_TURN)
        self._asked = asked
        self.on_page()

    def _seats(self, referee: Any) -> tuple[int, ...]:
        pending = referee.match.pending
        return pending.seats if isinstance(pending, Decide) else ()
