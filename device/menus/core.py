"""The stack of views, short messages over it, and the header of every page."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial

from device.keys import Cue, Hold, Holding, Key, KeyEvent, Press, Turn
from device.match import (
    KEYS,
    Correction,
    JournalError,
    MatchDoor,
    PastMatch,
    Proposal,
    Referee,
    Ruling,
    Source,
    Unconfirmed,
    find_running,
    tell_unread,
)
from device.match import Header as MatchHeader
from device.menus import readings, standstill
from device.menus.home import Home
from device.menus.match_menu import make_match_menu, show_code
from device.menus.new_match import YourTable, resume_form
from device.menus.play import ConfirmingEntry, Play
from device.menus.readings import CropMenu
from device.menus.scores import PartTable
from device.menus.standstill import JudgesWord, LostEntries, Standstill
from device.menus.telling import HeardUpTo, Messages, News, find_tidings, recap, tell_about, tell_out_of_turn
from device.menus.ui import MOMENT_MS, Aside, RoundHere, Ui, View, list_asked_seats
from device.menus.views import READ_MS, Menu, TextReader, ask
from device.screen import HeaderMark, HeaderWords, NoticePage, Page, PageHeader
from device.texts import Texts, in_words
from device.voices import Voices
from engines.contract import SEATS
from engines.errors import EngineError
from engines.words import Words, score_line

log = logging.getLogger(__name__)


@cache
def say_header(t: Texts) -> HeaderWords:
    """Return the words of the header in a language."""
    stamps = (t(f"stamp.{what}") for what in ("simulated", "sample", "both"))
    return HeaderWords(t("lost.saving"), t("play.simulated"), t("facts.sample"), *stamps)


class Box(Ui):
    """The box as a person uses it: ``key`` takes an event, ``page`` gives the page to show."""

    def __init__(
        self,
        door: MatchDoor,
        *,
        pages: Callable[[Page], int],
        voices: Voices | None = None,
        now_ms: Callable[[], float] = lambda: time.monotonic() * 1000,
        aside: Aside | None = None,
        strict: bool = False,
    ) -> None:
        """Show the open match, otherwise home.

        ``voices`` are by default those of the state directory. With ``strict`` a missing text is an error, as
        tests want it. The others are those of :class:`Ui`.
        """
        library = door.library
        super().__init__(door, voices or Voices(library.state_dir, strict=strict), pages, now_ms, aside)
        self.pairings.on_change = lambda: show_code(self)
        self.warning = ""
        self.moment_ms = MOMENT_MS
        self._messages = Messages(now_ms)
        self._news = News(pages, self.texts)
        self._heard: HeardUpTo | None = None
        self._text_gone = False
        self._entered_ms = -math.inf
        self._holding: Holding | None = None
        self._asked: tuple[int, ...] = ()
        self._recorded = 0
        self.stack = [Home(self)]
        door.people = self
        library.on_change = self.follow
        if library.referee and not library.referee.replay.abandoned:
            self.play(library.referee)  # also a finished one: the power may have failed after its last step
        if library.problems:
            self.push(TextReader(self, self.texts("setup.problems"), self._tell_problems()))

    # The page

    def page(self) -> Page:
        """Return the page to show now: an urgent message, the bar of a held key, or the view on top.

        A view counts as in sight from the first time that it is returned.
        """
        view = self.stack[-1]
        if self._holding:
            text = self.texts(f"hold.{self._holding.key.value}")
            return NoticePage(self.header(), text, fraction=self._holding.fraction)
        if message := self._messages.shown:
            return NoticePage(self.header(), message.text, message.urgent)
        view.come_in_sight()
        return self._add_news(view)

    def header(self, left: str = "", *, scores: bool = True) -> PageHeader:
        """Return a page's header: ``left``, with ``scores`` a match's scores, and the last entry's state."""
        referee = self.library.referee
        mark, right, own = HeaderMark.NONE, "", ""
        if referee:
            if scores and any(isinstance(view, Play) for view in self.stack):
                label, points = find_running(referee.replay)
                line = partial(score_line, referee.replay.names, points)
                named = f"{self.game_texts[referee.replay.header.game](label)} " if label else ""
                right, own = named + line(), named + line(list_asked_seats(referee.replay))
            if referee.lost:
                mark = HeaderMark.FAILED
            elif referee.waiting:
                mark = HeaderMark.SAVING
            elif referee.head:
                mark = HeaderMark.RECORDED
        sample = any(view.sample for view in self.stack)
        words = say_header(self.texts)
        return PageHeader(left, right, mark, self.library.simulated, self.warning, sample, own, words=words)

    def due_ms(self) -> float | None:
        """Return the time until the page changes by itself, None if it does not."""
        due = [ms for ms in (self._messages.due_ms(), self.stack[-1].due_ms()) if ms is not None]
        return min(due, default=None)

    # The keys

    def key(self, event: KeyEvent, seat: int | None = None) -> None:
        """Take a person's key or turn.

        Drop an OK within ``moment_ms`` of an entry as a second press. Also drop one within :data:`READ_MS`
        after a text gave way to a question: it was meant for the text. ``seat`` is the seat that owns the
        keys, None for shared keys: a seat's keys answer for nobody else. Anybody may call a judge.
        """
        if seat is not None and (why := self._refuse(seat)) and getattr(event, "key", None) is not Key.CALL:
            self._holding = None  # a key of that seat, if the turn passed while it was held
            self.toast(why)
            return
        self._holding = event if isinstance(event, Holding) else None
        gave_way = self._text_gone and isinstance(self.stack[-1], Play)
        quiet_ms = READ_MS if gave_way and self.moment_ms else self.moment_ms
        if event == Press(Key.OK) and self.now_ms() - self._entered_ms < quiet_ms:
            return
        self._entered_ms = -math.inf  # a person who turned the knob has looked
        self.chosen = ()
        referee = self.library.referee
        made, in_sight = len(referee.replay.log) if referee else 0, self._text_in_sight
        self._take_key(event)
        self._text_gone = in_sight and isinstance(self.stack[-1], Play) and not self._text_in_sight
        if self._text_gone or (referee and len(referee.replay.log) > made):
            self._entered_ms = self.now_ms()
        self.on_page()

    @property
    def _text_in_sight(self) -> bool:
        """True if a text is in sight."""
        return isinstance(self.stack[-1], TextReader) or self.is_for_news(Press(Key.OK))

    def _refuse(self, seat: int) -> str:
        """Say why the keys of one seat do nothing now; empty if they act."""
        referee = self.library.referee
        if not referee:
            return ""
        names, asked = referee.replay.names, list_asked_seats(referee.replay)
        name = names[seat] if seat < len(names) else SEATS[seat].upper()
        if self.stack[-1].asks_others or len(asked) > 1:
            return self.texts("keypad.all")
        return "" if asked in ((), (seat,)) else self.texts("keypad.asked", asked=names[asked[0]], name=name)

    def _take_key(self, event: KeyEvent) -> None:
        view = self.stack[-1]
        if isinstance(event, Hold):
            self._messages.take_key()  # such as that the key is to be held
            self._take_hold(event.key)
            return
        hidden = self._messages.shown is not None
        if self._holding or self._messages.take_key():
            return
        page = self._find_news_page()
        if page and (self._news.takes(event, page) if hidden else self._news.take_key(event, page)):
            return
        if isinstance(event, Turn):
            view.turn(event.steps)
        elif isinstance(event, Press):
            self._take_press(event.key, view)
        if isinstance(view, PartTable) and view not in self.stack:
            self._news.must_see = ()

    def _take_press(self, key: Key, view: View) -> None:
        if key is Key.OK:
            view.ok()
        elif key is Key.BACK or (key is Key.UNDO and view.typed):
            view.back()
        elif key is Key.UNDO:
            if first := self._first:
                self.toast(self.texts(first))
            elif view.asked and self._play:
                self._play.undo(view)
            elif play := self._return_to_match() if isinstance(view, Home) else self.show_match():
                play.undo()
            else:
                self.toast(self.texts("undo.nothing"))
        else:
            self.toast(self.texts("call.hold"))

    def _take_hold(self, key: Key) -> None:
        if key is Key.CALL:
            self._call()
        elif first := self._first:
            self.toast(self.texts(first))
        elif isinstance(self.stack[-1], Play | Standstill):
            if self.show_match():
                self.push(make_match_menu(self, self.last_news))
        elif not self.show_match():
            self._say_dropped(self.stack)
            self.go_home()

    def _call(self) -> None:
        """Call a judge: the clocks stop, and a page shows the call until it is answered."""
        self.on_cue(Cue.CALL)
        referee = self.library.referee
        if referee and not referee.replay.over and self._return_to_match():
            standstill.call(self)
        else:
            self.push(TextReader(self, self.texts("call.title"), self.texts("call.text")))

    @property
    def typing(self) -> bool:
        """True if the view on top takes text from a keyboard."""
        return self.stack[-1].takes_text

    def type(self, text: str) -> None:
        """Give a whole text to the view on top, as if entered with the knob; a view may ignore it."""
        self.stack[-1].type(text)
        self.on_page()

    # The news of the match

    @property
    def last_news(self) -> str:
        """The news of the last entry, in full."""
        return self._news.last

    def is_for_news(self, event: KeyEvent) -> bool:
        """Return True if a key would only page through the news; see :meth:`News.takes`."""
        page = self._find_news_page()
        return page is not None and self._news.takes(event, page)

    def _find_news_page(self) -> Page | None:
        """Return the match's page while it has news, otherwise None."""
        view = self.stack[-1]
        return self._add_news(view) if isinstance(view, Play) and self._news.text else None

    def _add_news(self, view: View) -> Page:
        """Return the page of a view with the news in it, or the news alone."""
        if not isinstance(view, Play):
            return view.page()
        if view.over:
            return self._news.add_to(view.page())
        must = tell_out_of_turn(view.words, view.match)
        return self._news.add_to(view.page(), must, "" if must else tell_about(view.words, view.match))

    def follow(self) -> None:
        """Show that the match has moved on: by a key, the line, or the disk."""
        referee = self.library.referee
        if not referee:
            self.on_page()
            return
        before = self.stack[-1]
        if referee.lost and not self._unsettled:
            self.on_cue(Cue.ERROR)
            self.push(LostEntries(self, referee))
        for view in list(self.stack):
            view.follow()
        self._gather_news(referee)
        if self.stack[-1] is not before:  # an OK in flight was meant for what is gone
            self._entered_ms = self.now_ms()
        if referee.recorded > self._recorded:
            self.on_cue(Cue.RECORDED)
        self._recorded = referee.recorded
        asked = list_asked_seats(referee.replay)
        if asked != self._asked and asked:
            self.on_cue(Cue.YOUR_TURN)
        self._asked = asked
        self.on_page()

    def _gather_news(self, referee: Referee) -> None:
        """Add the events of the match on the screen to the news, without lost entries."""
        play = self._play
        if not play or play.referee is not referee:
            return
        now, words = HeardUpTo.of(referee.replay), play.words
        stood = [view for view in self.stack if isinstance(view, Standstill)]
        standstill.follow(self)
        if referee.lost:
            self._news.clear()
        elif self._heard:
            self._news.add(find_tidings(words, self._heard, now, self.chosen))
        if stood and not any(isinstance(view, Standstill) for view in self.stack):
            self._news.sentences = ()
            self._news.add(recap(words, now.match))
        self._heard = now
        if isinstance(table := self.stack[-1], PartTable):
            table.note = "\n".join(self._news.must_see)

    # The stack

    def play(self, referee: Referee) -> None:
        """Show a match."""
        self._recorded = referee.recorded
        self.form = None
        kept = self.library.read_correction()
        self._correction = Correction(referee.replay, kept) if kept else None
        play, match = Play(self), referee.replay.match
        play.sample = referee.replay.header.sample
        self.stack = [Home(self), play]
        self._asked = list_asked_seats(referee.replay)
        standstill.follow(self)
        self._heard = HeardUpTo.of(referee.replay)
        self._news = News(self.pages, self.texts)
        if not referee.replay.over:
            self._news.add(recap(play.words, match))
            self._news.takes_ok = bool(match.steps)

    @property
    def _play(self) -> Play | None:
        """The view of the match; None if none is shown."""
        return next((view for view in self.stack if isinstance(view, Play)), None)

    def show_match(self) -> Play | None:
        """Return to the match from the views above it; return None if no match is shown.

        A page about a standstill stays on top of it, as does a judge's word. A message names each question
        that nobody has answered.
        """
        if play := self._play:
            above = self.stack[self.stack.index(play) + 1 :]
            kept = [view for view in above if isinstance(view, Standstill | JudgesWord)]
            self.stack[self.stack.index(play) + 1 :] = kept
            self._say_dropped(view for view in above if view not in kept)
        return play

    def _return_to_match(self) -> Play | None:
        """Return to the match from anywhere; return None if none is open, or if lost entries come first."""
        referee = self.library.referee
        if not referee or self._unsettled:
            return None
        if not self.show_match():
            self.play(referee)
        return self.show_match()

    def go_home(self) -> None:
        """Go back to the home screen; an open match stays open, a finished one is forgotten."""
        if self.library.referee and self.library.referee.replay.over:
            self.library.forget()
        self.stack = [Home(self)]

    def renew_pages(self) -> None:
        """Show every page in the newly chosen language; drop unfinished input."""
        if referee := self.library.referee:
            self.play(referee)
            self.follow()
        else:
            self.go_home()
            self.on_page()

    def _say_dropped(self, views: Iterable[View]) -> None:
        for view in views:
            if view.asked:
                self.toast(self.texts("consent.dropped", what=view.asked))

    @property
    def _first(self) -> str:
        """The key of the text that says what people must answer first; empty if nothing."""
        return next((view.first for view in reversed(self.stack) if view.first), "")

    @property
    def _unsettled(self) -> bool:
        """True if lost entries wait for people's decision."""
        return any(isinstance(view, LostEntries) for view in self.stack)

    # Requests of the views

    def open(self, header: MatchHeader) -> None:
        """Start a match and show it, or a page with the reason why not."""
        self._try(lambda: self.door.open(header, source=KEYS))

    def continue_match(self, past: PastMatch) -> None:
        """Continue a past match, or show a page with the reason why not."""
        self._try(lambda: self.library.continue_match(past))

    def _try(self, opening: Callable[[], object]) -> None:
        known = len(self.library.problems)
        try:
            opening()
            self.play(self.referee)
            if len(self.library.problems) > known:
                self.push(TextReader(self, self.texts("setup.problems"), self._tell_problems(known)))
        except (JournalError, EngineError, ValueError, OSError) as error:
            self.play_refusal()
            log.error("not opened: %s", error)
            t = self.texts
            self.push(TextReader(self, t("home.new"), t("home.cannot", why=in_words(tell_unread(error), t))))

    def _tell_problems(self, known: int = 0) -> str:
        return "\n".join(in_words(problem, self.texts) for problem in self.library.problems[known:])

    def show_text(self, title: str, text: str) -> None:
        """Show a page that OK leaves."""
        self.push(TextReader(self, title, text))

    def toast(self, text: str, *, urgent: bool = False, about: str = "") -> None:
        """Show a message over the page, see :mod:`device.menus.telling`; a long one becomes a page. If it is
        ``about`` a sensor's subject, it goes when that is read again.
        """
        if self.pages(NoticePage(self.header(), text)) > 1:
            self.push(TextReader(self, self.texts("setup.problems"), text, about=about))
        else:
            self._messages.say(text, urgent=urgent, about=about)
        self.on_page()

    # Requests of sensors, the page, the line and an event's desk

    def propose(self, proposal: Proposal) -> None:
        """Show people a sensor's reading; ignore an OK that was meant for a page it takes away."""
        before, draft = self.stack[-1], self._draft
        readings.withdraw(self, proposal)
        self._remove_about(proposal.what)
        if readings.has_news(proposal) and (play := self._return_to_match()):
            readings.show(self, play, proposal)
        if (before.of_sensor and not self.stack[-1].of_sensor) or self._draft is not draft:
            self._entered_ms = self.now_ms()
        self.on_page()

    @property
    def _draft(self) -> object:
        """The step being put together, so far."""
        return next((view.drafts[-1] for view in self.stack if isinstance(view, Play)), None)

    def withdraw(self, about: str) -> None:
        """Dismiss messages and pages about ``about``; ignore an OK that was meant for one."""
        before = self.stack[-1]
        self._remove_about(about)
        if self.stack[-1] is not before:
            self._entered_ms = self.now_ms()
        self.on_page()

    def _remove_about(self, about: str) -> None:
        self._messages.withdraw(about)
        self.stack = [
            one for one in self.stack if not (about and isinstance(one, TextReader) and one.about == about)
        ]

    def confirm(self, waiting: Unconfirmed) -> None:
        """Ask whether an entry is right, whoever made it."""
        if play := self._return_to_match():
            match = play.match

            def tell(words: Words) -> str:
                step = words.would(match, waiting.seat, waiting.text)
                return waiting.says or words("confirm.ask", step=step)

            self.push(ConfirmingEntry(self, play.words, tell, waiting, play.words.names))
        elif waiting.says and not self._unsettled:
            self.push(ConfirmingEntry(self, self.texts, lambda _: waiting.says, waiting, ()))
        self.on_page()

    def overrule(self, tokens: Sequence[str], clause: str, source: Source) -> None:
        """Continue a step that somebody elsewhere wants to stand although ``clause`` forbids it."""
        if play := self._return_to_match():
            play.overrule(tokens, clause, source)
            self.on_page()

    def ask_to_sit(self, names: Sequence[str], open_match: Callable[[], object]) -> bool:
        """Ask at an event whether this is the table of the players ``names``, before a match from elsewhere
        begins. A no leads to the form of a new match. Elsewhere ask nothing and return False.
        """
        if not self.round:
            return False

        earlier = next((view for view in self.stack if isinstance(view, YourTable)), None)
        if earlier:
            del self.stack[self.stack.index(earlier) :]
        ask(
            self, YourTable(self, names, partial(self._try, open_match), lambda: self.push(resume_form(self)))
        )
        self.on_page()
        return True

    def note_round(self, here: RoundHere, ends_ms: float | None) -> None:
        """Note an event's round, and the time of its end."""
        before = self.round, self.tell_round()
        self.round, self.round_ends_ms = here, ends_ms
        if before != (self.round, self.tell_round()):  # a repeat changes nothing, and wakes no display
            self.on_page()

    def propose_ruling(self, judge: str, ruling: Ruling, source: Source) -> None:
        """Show a judge's ruling from the event's desk; it counts once everybody agrees."""
        shown = any(isinstance(view, JudgesWord) and view.source == source for view in self.stack)
        if not shown and self._return_to_match():
            self.on_cue(Cue.CALL)
            self.push(JudgesWord(self, judge, ruling, source))
            self.on_page()

    # Questions that wait for people

    @property
    def asking(self) -> str:
        """The question that waits for people at the box: for their yes, or for their look at a reading; empty
        without one.
        """
        top = self.stack[-1]
        if top.of_sensor and isinstance(top, Menu):
            return self.texts("status.part", part=top.title, how=top.prompt) if top.prompt else top.title
        return next((view.asked for view in reversed(self.stack) if view.asked), "")

    @property
    def confirming(self) -> ConfirmingEntry | None:
        """The entry that people are asked about now, or None."""
        view = self.stack[-1]
        return view if isinstance(view, ConfirmingEntry) else None

    @property
    def crop_asked(self) -> bytes | None:
        """The picture that a sensor asks about now, a PNG, empty without one; None if no sensor asks."""
        view = self.stack[-1]
        if not view.of_sensor:
            return None
        return view.crop if isinstance(view, CropMenu) else b""
