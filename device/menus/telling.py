"""Words for the people at the box: recorded entries, orders for hands, news for all.

They come from comparing the match with the point up to which people have heard, so that a step of the keys,
the line, a sensor or a page is told alike. After a correction they tell how the table differs from the
earlier record.

Short messages over the page come one at a time; only an urgent one replaces a plain one early.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from operator import attrgetter

import msgspec
from msgspec.structs import replace

from device.keys import Key, KeyEvent, Press, Turn
from device.match import Line, Replay, Strike, tell_differences, tell_hands
from device.screen import CountsPage, GridPage, ListPage, Page, TextPage, WheelPage
from engines.contract import Decide, Label
from engines.match import Fallen, Match
from engines.texts import Texts
from engines.words import Words

PLAIN_MS = 1800
URGENT_MS = 4000
LEAST_MS = 800
"""The least time of an urgent message, whatever keys are pressed, so that people see it."""


class Message(msgspec.Struct, frozen=True):
    """A message: its text, whether it interrupts, and the subject of a reading that it is ``about``."""

    text: str
    urgent: bool = False
    about: str = ""

    @property
    def stays_ms(self) -> int:
        """Time on the screen if no key is pressed."""
        return URGENT_MS if self.urgent else PLAIN_MS


class Messages:
    """The message on the screen and the waiting ones."""

    def __init__(self, now_ms: Callable[[], float]) -> None:
        """Start without a message; ``now_ms`` is a clock that never jumps."""
        self._now = now_ms
        self._queue: deque[Message] = deque()
        self._since = 0.0

    def say(self, text: str, *, urgent: bool = False, about: str = "") -> None:
        """Queue a message; an urgent one drops the plain ones before it.

        A message that is already shown or waiting is not queued again.
        """
        message = Message(text, urgent, about)
        if self.shown == message or message in self._queue:
            return
        if urgent and not (self._queue and self._queue[0].urgent):
            self._queue.clear()
        if not self._queue:
            self._since = self._now()
        self._queue.append(message)

    def withdraw(self, about: str) -> None:
        """Dismiss messages about ``about``: it was read again."""
        shown = self.shown
        self._queue = deque(one for one in self._queue if one.about != about or not about)
        if self.shown != shown:
            self._since = self._now()

    @property
    def shown(self) -> Message | None:
        """The message to show now."""
        while self._queue and self._now() >= self._since + self._queue[0].stays_ms:
            self._since += self._queue.popleft().stays_ms
        return self._queue[0] if self._queue else None

    def due_ms(self) -> float | None:
        """Return the time until the message changes by itself, None while there is none."""
        shown = self.shown
        return self._since + shown.stays_ms - self._now() if shown else None

    def take_key(self) -> bool:
        """Take a key; return True if it only dismisses an urgent message.

        A key dismisses a plain message and acts as usual. An urgent message hides the page, so the key only
        dismisses it, and only once it has been shown for :data:`LEAST_MS`.
        """
        shown = self.shown
        if shown and (not shown.urgent or self._now() >= self._since + LEAST_MS):
            self._queue.popleft()
            self._since = self._now()
        return bool(shown and shown.urgent)


FEW_TAKEN_BACK = 2
"""The most entries taken back at once that are told one by one; for more only the number is told."""

LAST_TOLD = 3
"""The number of last entries told, of those that came one by one while nobody pressed a key."""


class HeardUpTo(msgspec.Struct, frozen=True, eq=False, dict=True):
    """A point of a match: its lines, the number of its last record, and the entries ``dropped`` so far.

    A match with another history is another object.
    """

    match: Match
    lines: Sequence[Line]
    head: int
    dropped: frozenset[int] = frozenset()

    @classmethod
    def of(cls, replay: Replay) -> HeardUpTo:
        """Return the present point of a match."""
        dropped = frozenset(ruled.record for _, ruled in replay.log.standing if isinstance(ruled, Strike))
        return cls(replay.match, replay.history, len(replay.log), dropped)

    @cached_property
    def places(self) -> dict[int, int]:
        """The index of each entry in the lines, by its number."""
        numbers = map(attrgetter("record.seq"), self.lines)  # a press costs no call a line
        lines = enumerate(zip(numbers, self.lines, strict=True))
        return {seq: at for at, (seq, line) in lines if not isinstance(line.made, Fallen)}


class Tidings(msgspec.Struct, frozen=True):
    """The sentences about some entries, and those that all ``must_see`` before they go on.

    ``whole`` also has the sentences left out because somebody has just chosen their words. With ``back``
    something was taken back, or counts again, and earlier sentences no longer hold. With ``goes_on`` the text
    of the next question says the same.
    """

    sentences: tuple[str, ...] = ()
    must_see: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    back: bool = False
    goes_on: bool = False


def _join_lines(*texts: str) -> str:
    return "\n".join(filter(None, texts))


def find_tidings(words: Words, since: HeardUpTo, now: HeardUpTo, chosen: Collection[str]) -> Tidings:
    """Return the news of a match from the point ``since`` to the point ``now``.

    If people have just ``chosen`` the words of an entry, only its orders for hands are told. A few entries
    taken back are told without such orders, which in reverse would fill a page of their own.
    """
    match, known, here = now.match, since.places, now.places
    kept = 1 + max([at for seq, at in here.items() if seq in known], default=-1)
    gone = [at for seq, at in known.items() if seq not in here]
    told = [*_tell_gone(words, since, gone, now.dropped), *_tell_edited(words, since, now, kept)]
    new = [at for at in here.values() if at >= kept]
    returned = [at for at in new if now.lines[at].seq <= since.head]
    if len(returned) > LAST_TOLD:
        told.append(words("told.returned_many", count=len(returned)))
        new = new[len(returned) :]
    short: dict[int, str] = {}
    if told:
        if len(told) == len(gone) and not any(since.lines[at].seq in now.dropped for at in gone):
            short[len(told)] = ""
        end = new[0] if new else len(now.lines)
        lies = tell_differences(words, since.match.points[len(since.lines)].state, match.points[end].state)
        told.append(words("told.table", differences=words.texts.by_semicolons(lies)) if lies else "")
    news: list[str] = []
    for at in new:
        made, hands = [*_tell_entered(words, match, at)], _list_hands(match, at)
        if len(made) == 1 and made[0] in chosen:
            short[len(told)] = words.texts.sentences(tell_hands(words, match, at, hands))
        told.append(words.texts.sentences([*made, *words.labels(hands)]))
        news += words.labels(match.game.telling.news(*_list_states(match, at)))
    goes_on = len(told) == 1 and len(now.lines) == len(since.lines) + 1 and _goes_on(words, match)
    left = [short.get(at, text) for at, text in enumerate(told)]
    back = bool(gone or returned)
    return Tidings(tuple(filter(None, left)), tuple(dict.fromkeys(news)), tuple(told), back, goes_on)


def _tell_gone(words: Words, since: HeardUpTo, gone: Sequence[int], dropped: Collection[int]) -> list[str]:
    """Tell the entries that no longer count, the last first: those ``dropped`` by a correction, then those
    taken back; of many only the number.
    """
    told: list[str] = []
    struck = [at for at in gone if since.lines[at].seq in dropped]
    for key, places in (("told.dropped", struck), ("told.back", [at for at in gone if at not in struck])):
        if len(places) > FEW_TAKEN_BACK:
            told.append(words(f"{key}_many", count=len(places)))
        else:
            entries = (_tell_entry(words, since.match, len(since.lines), at) for at in reversed(places))
            told += [words(key, step=entry) for entry in entries]
    return told


def _tell_edited(words: Words, since: HeardUpTo, now: HeardUpTo, end: int) -> Iterator[str]:
    """Tell the entries before index ``end`` that have other words, were added, or count again."""
    known = since.places
    for seq, at in now.places.items():
        if seq not in known and at < end:
            key = "told.added" if seq > since.head else "told.returned"
        elif seq in known and since.lines[known[seq]].made != now.lines[at].made:
            key = "told.corrected"
        else:
            continue
        yield words(key, step=_tell_entry(words, now.match, len(now.lines), at))


def _goes_on(words: Words, match: Match) -> bool:
    """Return True if the last step, an answer to a told question, only led to another such question."""
    last, telling = len(match.steps) - 1, match.game.telling
    before, after = _list_states(match, last)
    told = tell_out_of_turn(words, match) and telling.about(before) and telling.about(after)
    return bool(told and not _list_hands(match, last))


def _list_states(match: Match, at: int) -> tuple[object, object]:
    before, after = match.points[at : at + 2]
    return before.state, after.state


def _list_hands(match: Match, at: int) -> Sequence[Label]:
    before, after = _list_states(match, at)
    return match.game.telling.hands(before, match.chosen(at), after)


def _tell_entry(words: Words, match: Match, length: int, at: int) -> str:
    """Tell the step at index ``at`` once ``length`` were made; of a sealed choice only that it was made."""
    if at in match.sealed(length):
        return words.by(match.steps[at].seat, "")
    return words.made(match, at)


def _tell_entered(words: Words, match: Match, at: int) -> Iterator[str]:
    """Yield the entry at index ``at``; the last of several sealed choices shows them all."""
    if match.points[at].sealed and not match.points[at + 1].sealed:
        yield from (words.made(match, earlier) for earlier in match.sealed(at))
    yield _tell_entry(words, match, at + 1, at)


def tell_about(words: Words, match: Match) -> str:
    """Return the sentences about the subject of the question, if a game has any."""
    return words.texts.sentences(words.labels(match.game.telling.about(match.state)))


def tell_out_of_turn(words: Words, match: Match) -> str:
    """Return what a player must know who is asked in another's turn; empty if nobody is."""
    pending, state = match.pending, match.state
    if not isinstance(pending, Decide) or state.seat is None or pending.seats == (state.seat,):
        return ""
    return tell_about(words, match) or f"{words.actor(pending)}: {words('told.asked')}"


def recap(words: Words, match: Match) -> Tidings:
    """Tell people who come to a match the last entry and whose turn it is; before the first step tell what
    hands lay out, a line each.
    """
    made = [at for at, one in enumerate(match.steps) if not isinstance(one, Fallen)]
    if not made:
        return Tidings(
            tuple(filter(None, ["\n".join(words.labels(match.game.telling.opening(match.state)))]))
        )
    parts = [_tell_entry(words, match, len(match.steps), made[-1])]
    if isinstance(match.pending, Decide):
        parts.append(words("told.to_move", name=words.actor(match.pending)))
    return Tidings(tuple(parts))


class News:
    """The sentences that people at one box have yet to read, within the match's page or on one above it."""

    def __init__(self, pages: Callable[[Page], int], texts: Texts) -> None:
        """Start without news; ``pages`` returns the number of screens of a page."""
        self._pages, self._texts = pages, texts
        self.clear()

        self.last = ""

    def clear(self) -> None:
        """Drop all news: people have read it."""
        self.sentences: tuple[str, ...] = ()
        self.must_see: tuple[str, ...] = ()
        self.takes_ok = False
        """True if OK only dismisses them, also above a question: people have just come to the match."""
        self._goes_on = False
        self._at = 0

    def add(self, new: Tidings) -> None:
        """Add the news of the match."""
        if new.back:
            self.clear()
        self.last = _join_lines(self._texts.sentences(new.whole or new.sentences), *new.must_see) or self.last
        self._goes_on = new.goes_on and not self.text
        room = max(0, LAST_TOLD - len(new.sentences))
        earlier = self.sentences[max(0, len(self.sentences) - room) :]
        self.sentences = (*earlier, *new.sentences)
        self.must_see = tuple(dict.fromkeys((*self.must_see, *new.must_see)))
        self._at = 0 if new.sentences or new.must_see else self._at

    @property
    def text(self) -> str:
        """All news, with those that must be seen on lines of their own; empty if all were read."""
        return "\n".join(
            [self._texts.sentences(self.sentences), *self.must_see] if self.sentences else self.must_see
        )

    def add_to(self, page: Page, asked: str = "", about: str = "") -> Page:
        """Return ``page`` with the news in it, or else the news on a page of their own.

        They share the page only if the question and an answer fit with them. ``asked`` is what the asked
        players must know; it stands with the news. ``about`` is the subject of the question; it stands above
        it if there is room.
        """
        text = _join_lines(self.text, asked)
        if isinstance(page, ListPage | GridPage | WheelPage | CountsPage) and not self.must_see:
            for said in (_join_lines(text, about), asked or about if self._goes_on else text, text):
                above = replace(page, told=said)
                if said and self._pages(above) == 1:
                    return above
        return TextPage(page.header, text, self._at, bool(self.must_see)) if self.text else page

    def takes(self, event: KeyEvent, page: Page) -> bool:
        """Return True if the news take this key: OK if it is to dismiss them, and if ``page`` is their own,
        a turn too: no cursor moves unseen.
        """
        ok = event == Press(Key.OK)
        return (self.takes_ok and ok) or (isinstance(page, TextPage) and (ok or isinstance(event, Turn)))

    def take_key(self, event: KeyEvent, page: Page) -> bool:
        """Take a key while ``page``, from :meth:`add_to`, is shown; return True if it is not for the view."""
        kept = self.takes(event, page)
        last = self._pages(page) - 1 if isinstance(page, TextPage) else 0
        at = self._at + (event.steps if isinstance(event, Turn) else 1)
        if kept and (at <= last or (self.must_see and isinstance(event, Turn))):
            self._at = max(0, min(at, last))
        elif kept or not self.must_see:
            self.clear()
        return kept
