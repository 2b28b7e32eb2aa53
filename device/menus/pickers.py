"""Pickers of answers that are too many to list: counts of several kinds, numbers of several digits, printed
facts.

The knob refuses what needs no rule (more than there is, more or fewer than are asked for), and names the
figure. For the rest, a check refuses the whole answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from device.menus.fact_entries import count_detents, enter, find_rows, make_painting_page, paint_board
from device.menus.ui import Ui, find_shortest_turn
from device.menus.views import TextReader
from device.screen import CountsPage, ListPage, Page, PageHeader, WheelPage
from engines import bags
from engines.contract import Choice, Decide, Multiset, Number, Printed, Report
from engines.fact_kinds import fit, raw, read_word, write_word
from engines.fact_words import FactWords
from engines.facts import Facts, of_match, schema
from engines.words import Words

Span = tuple[int, int]
"""A run of numbers, by its first and last."""


def make_picker(box: Ui, words: Words, asked: Decide | Report) -> AnswerPicker | None:
    """Return the picker of a question; None if the answers are listed."""
    domain = asked.domain
    if isinstance(domain, Multiset):
        return CountsPicker(box, words, asked.question, domain, report=isinstance(asked, Report))
    if isinstance(domain, Printed):
        return OnTheCopy(box, words, domain)
    return Wheels(domain) if isinstance(domain, Number) else None


ROUND_AT_MOST = 4
"""The largest count that OK alone goes through, as many as players; people turn a larger one."""


class CountCell(msgspec.Struct, frozen=True):
    """One count on the page: the number of a ``kind``, starting at ``begun``, at most ``most``."""

    kind: int
    begun: int
    most: int

    def find_next(self, count: int, most: int) -> int:
        """Return the count after an OK on ``count``: the next one away from ``begun``, ``most`` at most."""
        step = -1 if self.begun else 1
        others = ((count + step * n) % (self.most + 1) for n in range(1, self.most + 1))
        return next((one for one in others if one <= most), count)


class CountsPicker:
    """A cell for each count, then *done*, where the cursor starts.

    On a report it starts on the first count, so that an extra OK records nothing. If the domain has caps, the
    kinds that it starts with come first: there OK takes one away. Cells for more of each kind follow: there
    OK adds one. Both go round. A count above :data:`ROUND_AT_MOST`, and one without a cap, is turned: OK
    begins and ends that. The line before *done* lifts the caps: then a check says why not, and people can let
    it stand.
    """

    def __init__(
        self, box: Ui, words: Words, question: str, domain: Multiset, *, report: bool = False
    ) -> None:
        """Begin with the domain's start."""
        self._box, self._words, self._domain, self._report = box, words, domain, report
        self._labels = tuple(words.choice(Choice(question, kind)) for kind in domain.kinds)
        self._editing = False
        self._index = 0
        self._lay(domain.caps)
        if domain.start:
            self._show(domain.start)

    def _lay(self, caps: bags.Bag | None) -> None:
        """Lay out the cells, empty."""
        kinds = range(len(self._labels))
        begun = bags.counts(self._domain.start, len(kinds))
        if caps is None:
            self._cells = [CountCell(kind, 0, bags.FULL) for kind in kinds]
        else:
            more = [max(0, bags.count(caps, kind) - begun[kind]) for kind in kinds]
            self._cells = [CountCell(kind, begun[kind], begun[kind]) for kind in kinds if begun[kind]]
            self._cells += [CountCell(kind, 0, more[kind]) for kind in kinds if more[kind]]
        self._capped = caps is not None
        self._counts = [0] * len(self._cells)

    def _split(self, held: bags.Bag) -> list[int] | None:
        """Return the counts of the cells for ``held``; None if it exceeds the caps."""
        left = list(bags.counts(held, len(self._labels)))
        found = []
        for cell in self._cells:
            found.append(min(left[cell.kind], cell.most))
            left[cell.kind] -= found[-1]
        return None if any(left) else found

    def show(self, token: str) -> None:
        """Show the counts of ``token``, to change or accept."""
        self._show(self._domain.read(token))

    def _show(self, held: bags.Bag) -> None:
        if (counts := self._split(held)) is None:
            self._lay(None)
            counts = self._split(held)
        assert counts is not None
        self._counts, self._index = counts, 0 if self._report else self._lines - 1

    def page(self, header: PageHeader, prompt: str) -> Page:
        """Show the counts; a cell for more of an earlier kind is marked."""
        begun = {cell.kind for cell in self._cells if cell.begun}
        labels = tuple(
            ("+" if cell.kind in begun and not cell.begun else "") + self._labels[cell.kind]
            for cell in self._cells
        )
        caps = tuple(cell.most for cell in self._cells) if self._capped else ()
        more, done = self._words("counts.lift"), self._words("counts.done")
        counts = tuple(self._counts)
        return CountsPage(
            header, prompt, labels, counts, self._index, self._editing, caps, more=more, done=done
        )

    def turn(self, steps: int) -> None:
        """Move the cursor, or change the count under it within its limits."""
        if self._editing:
            self._count(self._index, max(0, self._counts[self._index] + steps))
        else:
            self._index = (self._index + steps) % self._lines

    def _count(self, at: int, wanted: int) -> None:
        cell, room = self._cells[at], self._count_room(at)
        self._counts[at] = min(wanted, cell.most, room)
        if wanted > min(cell.most, room):
            if cell.most <= room:
                self._refuse(self._words("counts.cap", kind=self._labels[cell.kind], most=cell.most))
            else:
                self._refuse(self._words("counts.most", most=self._domain.most))

    def _count_room(self, at: int) -> int:
        return max(0, self._domain.most - sum(self._counts) + self._counts[at])

    @property
    def _lines(self) -> int:
        return len(self._counts) + 1 + self._capped

    def _refuse(self, text: str) -> None:
        self._box.play_refusal()
        self._box.toast(text)

    def ok(self) -> str | None:
        """Change a count, or begin or end its turning; on *done* return the token."""
        if self._index < len(self._counts):
            self._change(self._index)
        elif self._index + 1 < self._lines:
            held = self._held
            self._lay(None)
            self._show(held)
            self._index = 0
            self._box.toast(self._words("counts.lifted"))
        elif sum(self._counts) < self._domain.least:
            self._refuse(self._words("counts.least", least=self._domain.least))
        elif sum(self._counts) > self._domain.most:
            self._refuse(self._words("counts.most", most=self._domain.most))
        else:
            return self._domain.write(self._held)
        return None

    @property
    def _held(self) -> bags.Bag:
        return sum(bags.one(cell.kind, n) for cell, n in zip(self._cells, self._counts, strict=True))

    def _change(self, at: int) -> None:
        cell, count = self._cells[at], self._counts[at]
        if cell.most > ROUND_AT_MOST:
            self._editing = not self._editing
            return
        self._counts[at] = cell.find_next(count, self._count_room(at))
        if self._counts[at] == count:
            self._count(at, count + 1)  # says why it stays

    def back(self) -> bool:
        """Stop turning a count."""
        editing, self._editing = self._editing, False
        return editing

    def count_detents(self, token: str) -> int:
        """Count the detents to the next cell to change.

        Cells that must become fewer come first, so that the whole never grows too large on the way.
        """
        here = self._index
        wanted = self._split(self._domain.read(token))
        if wanted is None:
            return find_shortest_turn(len(self._counts) - here, self._lines)
        if self._editing:
            return wanted[here] - self._counts[here]
        more = [want - count for want, count in zip(wanted, self._counts, strict=True)]
        left = [at for at, less in enumerate(more) if less < 0] or [at for at, n in enumerate(more) if n]
        ways = [find_shortest_turn(at - here, self._lines) for at in left or [self._lines - 1]]
        return min(ways, key=abs)


class Wheels:
    """A number by its first digit, then the next and so on, each on a wheel that goes round.

    The first wheel has the first digits of short numbers before those of long ones: for 0 to 499 ``_``,
    ``1_`` … ``9_``, ``1__`` … ``4__``. So a number takes as many presses as it has digits, but at least two
    if it has a wheel of its own.
    """

    def __init__(self, domain: Number) -> None:
        """Begin near the domain's start."""
        self._domain, self._near = domain, domain.begun
        self._begun: list[Span] = []
        self._open((domain.least, domain.most))

    def show(self, token: str) -> None:
        """Show the first wheel, with each wheel on the digit of ``token``."""
        self._near = int(token)
        del self._begun[1:]
        self._open(self._begun.pop())

    def _open(self, span: Span) -> None:
        self._begun.append(span)
        self._spans = make_spans(*span)
        self._index = self._find_span(self._near) or 0

    def _find_span(self, number: int) -> int | None:
        return next((at for at, (low, high) in enumerate(self._spans) if low <= number <= high), None)

    def page(self, header: PageHeader, prompt: str) -> Page:
        """Show the current wheel."""
        return WheelPage(header, prompt, tuple(label_span(*span) for span in self._spans), self._index)

    def turn(self, steps: int) -> None:
        """Go round the wheel."""
        self._index = (self._index + steps) % len(self._spans)

    def ok(self) -> str | None:
        """Take the digit and go to the next wheel; after the last return the number."""
        low, high = self._spans[self._index]
        if low == high:
            return str(low)
        self._open((low, high))
        return None

    def back(self) -> bool:
        """Go back to the wheel before, where it was left."""
        if len(self._begun) == 1:
            return False
        left = self._begun.pop()
        self._spans = make_spans(*self._begun[-1])
        self._index = self._spans.index(left)
        return True

    def count_detents(self, token: str) -> int:
        """Count the detents to the span of the number."""
        at = self._find_span(int(token))
        assert at is not None, f"{token} is none of those on the wheel"
        return find_shortest_turn(at - self._index, len(self._spans))


class OnTheCopy:
    """A fact of the copy: known, supposed, or entered as before a match."""

    def __init__(self, box: Ui, words: Words, domain: Printed) -> None:
        """Begin with the value known of the copy here, else with the game's supposition, if any."""
        game = words.game.id
        self._box, self._words, self._domain = box, FactWords(schema(game), words.texts), domain
        self._fact = self._words.schema.fact(domain.name)
        self._index = 0
        library = box.door.library
        file, match = library.copies.of(game), library.referee
        facts = file.load().facts if file else None
        made_up = match is not None and match.replay.header.sample
        here = facts[domain.name] if facts and facts.sample == made_up else None
        self._value = domain.supposed if here is None else here
        told = of_match(self._words.schema, match.replay.header.setup.facts)[0] if match else facts
        self._facts = told or Facts.of(self._words.schema)
        self._rows = find_rows(domain.kind, self._facts)
        self._doubts: list[int] = []

    def show(self, token: str, others: Sequence[str] = ()) -> None:
        """Show the fact of ``token``; the signs that differ in one of the ``others`` are in doubt."""
        self._value, self._index = read_word(self._domain.kind, token), 0
        self._doubts = [at for at, sign in enumerate(token) if any(other[at] != sign for other in others)]

    def page(self, header: PageHeader, prompt: str) -> Page:
        """Show the present value, and the ways to another."""
        t = self._words.texts
        there = [] if self._value is None else [self._words.value(self._domain.kind, self._value)]
        change = t("facts.change" if there else "facts.enter")
        if self._rows and self._value is not None:
            lines = (t("facts.just_so"), change, t("facts.about"))
            board = paint_board(self._rows, self._value)
            return make_painting_page(header, prompt, board, lines, self._index, self._doubts)
        return ListPage(header, prompt, (*there, change, t("facts.about")), self._index)

    def turn(self, steps: int) -> None:
        """Go through the lines."""
        self._index = (self._index + steps) % (2 + (self._value is not None))

    def ok(self) -> str | None:
        """Return the present value; on other lines open its entry, or the text about the fact."""
        at = self._index - (self._value is not None)
        if at < 0:
            return write_word(self._domain.kind, self._value)
        if at:
            parts = (self._words.about(self._fact), self._words.note(self._fact, self._facts))
            self._box.push(TextReader(self._box, self._words.label(self._fact), "\n".join(parts)))
        else:
            enter(self._box, self._words, self._fact, self._facts, self._value, self._take_value, sure=False)
        return None

    def _take_value(self, data: Any) -> None:
        self._value, self._index, self._doubts = fit(self._domain.kind, data), 0, []

    def back(self) -> bool:
        """Return False: there is nothing to step out of."""
        return False

    def count_detents(self, token: str) -> int:
        """Count the detents to the present value, or to the entry of another and through that."""
        entering = count_detents(self._box.stack, raw(self._domain.kind, read_word(self._domain.kind, token)))
        if entering is not None:
            return entering
        there = self._value is not None
        if there and write_word(self._domain.kind, self._value) == token:
            return -self._index
        return int(there) - self._index


AnswerPicker = CountsPicker | OnTheCopy | Wheels
"""A view part that puts an answer together. ``ok`` returns its token once it is whole, ``back`` True if it
stepped out of something. ``show`` puts the cursor where OK makes a token again; ``count_detents`` counts the
detents to the next OK on the shortest way to one.
"""


def make_spans(low: int, high: int) -> list[Span]:
    """Return the numbers from ``low`` to ``high`` in spans, in the order of a wheel.

    Up to ten numbers are a span each. Otherwise, numbers with the same first digit and length share a span.
    """
    if low < 0:
        below = [(-last, -first) for first, last in reversed(make_spans(max(1, -high), -low))]
        return below + (make_spans(0, high) if high >= 0 else [])
    if high - low < 10:
        return [(number, number) for number in range(low, high + 1)]
    size = 10
    while size * 10 <= high - low:
        size *= 10
    found = [(max(low, at), min(high, at + size - 1)) for at in range(low // size * size, high + 1, size)]
    return [*(make_spans(*found[0]) if low < size and size > 10 else found[:1]), *found[1:]]


def label_span(low: int, high: int) -> str:
    """Return the common part of the numbers, with a sign for each open digit: ``57``, ``5_``, ``1__``."""
    if low == high:
        return str(low)
    sign, first, last = "-" * (low < 0), str(abs(low)), str(abs(high))
    same = 0
    while len(first) == len(last) and first[same] == last[same]:
        same += 1
    return sign + first[:same] + "_" * (max(len(first), len(last)) - same)
