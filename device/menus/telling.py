"""Words for the people at the box: recorded entries, orders for hands, news for all.

They come from comparing the match with the point up to which people have heard, so that a step of the keys,
the line, a sensor or a page is told alike. After a correction they tell how the table differs from the
earlier record.

Short messages over the page come one at a time; only an urgent one replaces a plain one early.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from difflib import SequenceMatcher

import msgspec
from msgspec.structs import replace

from device.keys import Key, KeyEvent, Press, Turn
from device.match import tell_differences, tell_hands
from device.screen import CountsPage, GridPage, ListPage, Page, TextPage, WheelPage
from engines.contract import Decide, Label
from engines.match import Fallen, Made, Match
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

    def key_pressed(self) -> bool:
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
"""The number of last entries told, of those that came while nobody pressed a key."""


class HeardUpTo(msgspec.Struct, frozen=True):
    """A point of a match: its first ``made`` steps. A match with another history is another object."""

    match: Match
    made: int

    @classmethod
    def of(cls, match: Match) -> HeardUpTo:
        """Return the present point of a match."""
        return cls(match, len(match.steps))


class Tidings(msgspec.Struct, frozen=True):
    """The sentences about some entries, and those that all ``must_see`` before they go on.

    ``whole`` also has the sentences left out because somebody has just chosen their words. With ``back``
    something was taken back, and earlier sentences no longer hold. With ``goes_on`` the text of the next
    question says the same.
    """

    sentences: tuple[str, ...] = ()
    must_see: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    back: bool = False
    goes_on: bool = False


def _lines(*texts: str) -> str:
    return "\n".join(filter(None, texts))


def tidings(words: Words, since: HeardUpTo, match: Match, chosen: Collection[str] = ()) -> Tidings:
    """Return the news of a match since the point ``since``.

    If people have just ``chosen`` the words of an entry, only its orders for hands are told.
    """
    was, now = since.match.steps[: since.made], match.steps
    same = next((at for at, (a, b) in enumerate(zip(was, now, strict=False)) if a != b), len(was))
    same = min(same, len(now))
    told: list[str] = []
    short: dict[int, str] = {}
    news: list[str] = []
    back = corrected = False
    kept = len(now)
    for tag, low, high, begin, end in _changes(was[same:], now[same:]):
        gone = [same + at for at in range(low, high) if not isinstance(was[same + at], Fallen)]
        come = [same + at for at in range(begin, end) if not isinstance(now[same + at], Fallen)]
        midst = tag in ("delete", "insert") and same + high < len(was)
        corrected |= midst or bool(tag == "replace" and come)
        if tag == "replace" and come:
            told += [words("told.corrected", step=_made(words, HeardUpTo.of(match), at)) for at in come]
        elif gone and tag != "equal":
            back = True
            if len(gone) <= FEW_TAKEN_BACK:
                told += [words("told.back", step=_made(words, since, at)) for at in reversed(gone)]
            else:
                told.append(words("told.back_many", count=len(gone)))
        elif tag == "insert" and same + low < len(was):
            told += [_made(words, HeardUpTo.of(match), at) for at in come]
        elif tag == "insert":
            kept = same + begin
            for at in come:
                made, hands = [*_entered(words, match, at)], _hands(match, at)
                if len(made) == 1 and made[0] in chosen:
                    short[len(told)] = words.texts.sentences(tell_hands(words, match, at, hands))
                told.append(words.texts.sentences([*made, *words.labels(hands)]))
                news += words.labels(match.game.telling.news(*_states(match, at)))
    if corrected:
        lies = tell_differences(words, since.match.points[len(was)].state, match.points[kept].state)
        told += [words("told.table", differences=words.texts.by_semicolons(lies))] * bool(lies)
    goes_on = len(told) == 1 and len(now) == len(was) + 1 and _goes_on(words, match)
    left = [short.get(at, text) for at, text in enumerate(told)]
    return Tidings(tuple(filter(None, left)), tuple(dict.fromkeys(news)), tuple(told), back, goes_on)


def _changes(was: Sequence[Made], now: Sequence[Made]) -> Sequence[tuple[str, int, int, int, int]]:
    """Return the changes of steps as opcodes of :mod:`difflib`; without earlier steps all are inserted."""
    if not was:
        return [("insert", 0, 0, 0, len(now))]
    return SequenceMatcher(None, was, now, False).get_opcodes()


def _goes_on(words: Words, match: Match) -> bool:
    """Return True if the last step, an answer to a told question, only led to another such question."""
    last, telling = len(match.steps) - 1, match.game.telling
    before, after = _states(match, last)
    told = out_of_turn(words, match) and telling.about(before) and telling.about(after)
    return bool(told and not _hands(match, last))


def _states(match: Match, at: int) -> tuple[object, object]:
    before, after = match.points[at : at + 2]
    return before.state, after.state


def _hands(match: Match, at: int) -> Sequence[Label]:
    before, after = _states(match, at)
    return match.game.telling.hands(before, match.chosen(at), after)


def _made(words: Words, point: HeardUpTo, at: int) -> str:
    """Return the step at index ``at`` in words; for a sealed choice only that it was made."""
    if at in point.match.sealed(point.made):
        return words.by(point.match.steps[at].seat, "")
    return words.made(point.match, at)


def _entered(words: Words, match: Match, at: int) -> Iterator[str]:
    """Yield the entry at index ``at``; the last of several sealed choices shows them all."""
    if match.points[at].sealed and not match.points[at + 1].sealed:
        yield from (words.made(match, earlier) for earlier in match.sealed(at))
    yield _made(words, HeardUpTo(match, at + 1), at)


def about(words: Words, match: Match) -> str:
    """Return the sentences about the subject of the question, if a game has any."""
    return words.texts.sentences(words.labels(match.game.telling.about(match.state)))


def out_of_turn(words: Words, match: Match) -> str:
    """Return what a player must know who is asked in another's turn; empty if nobody is."""
    pending, state = match.pending, match.state
    if not isinstance(pending, Decide) or state.seat is None or pending.seats == (state.seat,):
        return ""
    return about(words, match) or f"{words.actor(pending)}: {words('told.asked')}"


def recap(words: Words, match: Match) -> Tidings:
    """Tell people who come to a match the last entry and whose turn it is; before the first step tell what
    hands lay out, a line each.
    """
    made = [at for at, one in enumerate(match.steps) if not isinstance(one, Fallen)]
    if not made:
        return Tidings(
            tuple(filter(None, ["\n".join(words.labels(match.game.telling.opening(match.state)))]))
        )
    parts = [_made(words, HeardUpTo.of(match), made[-1])]
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
        self._goes_on = False
        self._at = 0

    def add(self, new: Tidings) -> None:
        """Add the news of the match."""
        if new.back:
            self.clear()
        self.last = _lines(self._texts.sentences(new.whole or new.sentences), *new.must_see) or self.last
        self._goes_on = new.goes_on and not self.text
        self.sentences = (*self.sentences, *new.sentences)[-LAST_TOLD:]
        self.must_see = tuple(dict.fromkeys((*self.must_see, *new.must_see)))
        self._at = 0 if new.sentences or new.must_see else self._at

    @property
    def text(self) -> str:
        """All news, with those that must be seen on lines of their own; empty if all were read."""
        return "\n".join(
            [self._texts.sentences(self.sentences), *self.must_see] if self.sentences else self.must_see
        )

    def over(self, page: Page, asked: str = "", about: str = "") -> Page:
        """Return ``page`` with the news in it, or else the news on a page of their own.

        They share the page only if the question and an answer fit with them. ``asked`` is what the asked
        players must know; it stands with the news. ``about`` is the subject of the question; it stands above
        it if there is room.
        """
        text = _lines(self.text, asked)
        if isinstance(page, ListPage | GridPage | WheelPage | CountsPage) and not self.must_see:
            for said in (_lines(text, about), asked or about if self._goes_on else text, text):
                above = replace(page, told=said)
                if said and self._pages(above) == 1:
                    return above
        return TextPage(page.header, text, self._at, bool(self.must_see)) if self.text else page

    def keeps(self, event: KeyEvent, page: Page) -> bool:
        """Return True if ``page`` is the news' own and takes this key: an OK, or a turn, so that no cursor
        moves unseen.
        """
        return isinstance(page, TextPage) and (isinstance(event, Turn) or event == Press(Key.OK))

    def key(self, event: KeyEvent, page: Page) -> bool:
        """Take a key while ``page``, from :meth:`over`, is shown; return True if the view must not get it."""
        kept = self.keeps(event, page)
        last = self._pages(page) - 1 if isinstance(page, TextPage) else 0
        at = self._at + (event.steps if isinstance(event, Turn) else 1)
        if kept and (at <= last or (self.must_see and isinstance(event, Turn))):
            self._at = max(0, min(at, last))
        elif kept or not self.must_see:
            self.clear()
        return kept
