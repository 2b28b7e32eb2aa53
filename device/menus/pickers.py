"""Pickers of what is too much to list: counts of several kinds, numbers of several digits, printed facts.

What can be refused without a rule (more than there is, more or fewer than are asked for) is refused at the
knob, with the figure; the rest where the answer is whole, by the check that refuses it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from device.facts import FactWords
from device.match import Words
from device.menus.fact_entries import enter, toward
from device.menus.painting import picture, rows_of, shown
from device.menus.ui import Ui, around
from device.menus.views import Reader
from device.screen import CountsPage, Header, ListPage, Page, WheelPage
from engines import bags
from engines.contract import AnyDomain, Choice, Multiset, Number, Printed
from engines.fact_kinds import fit, raw, read_word, write_word
from engines.facts import of_match, schema

Span = tuple[int, int]
"""The first and the last of some numbers that follow one another."""


class Picker(ABC):
    """Turning and OK put an answer together."""

    @abstractmethod
    def page(self, header: Header, prompt: str) -> Page:
        """What to show under whose turn it is and what is asked."""

    @abstractmethod
    def turn(self, steps: int) -> None:
        """The encoder was turned."""

    @abstractmethod
    def ok(self) -> str | None:
        """OK was pressed: the answer's token once it is whole."""

    @abstractmethod
    def back(self) -> bool:
        """Back was pressed: whether there was something to step out of."""

    @abstractmethod
    def show(self, token: str) -> None:
        """Stand where OK makes ``token`` once more."""

    @abstractmethod
    def toward(self, token: str) -> int:
        """The detents from here to where OK is pressed next by whoever enters ``token``, the shortest way."""


def picker(box: Ui, words: Words, question: str, domain: AnyDomain) -> Picker | None:
    """The picker of a question; None where the answers are listed."""
    if isinstance(domain, Multiset):
        return Counts(box, words, question, domain)
    if isinstance(domain, Printed):
        return OnTheCopy(box, words, domain)
    return Wheels(domain) if isinstance(domain, Number) else None


class Counts(Picker):
    """One count per kind, from the domain's start, then *done*. OK on a kind begins and ends its turning.

    Where the domain has caps a count stops at its own, and a last line lifts them: then a check says why not,
    and people can let it stand.
    """

    def __init__(self, box: Ui, words: Words, question: str, domain: Multiset) -> None:
        """Begin with the domain's start, on *done* where there is one."""
        self._box, self._words, self._domain = box, words, domain
        self._labels = tuple(words.choice(Choice(question, kind)) for kind in domain.kinds)
        self._counts = [0] * len(domain.kinds)
        self._caps = None if domain.caps is None else bags.counts(domain.caps, len(domain.kinds))
        self._editing = False
        self._index = 0
        if domain.start:
            self.show(domain.write(domain.start))

    def show(self, token: str) -> None:
        """The counts of ``token``, to be changed or left so."""
        self._counts = list(bags.counts(self._domain.read(token), len(self._counts)))
        self._index = len(self._counts)

    def page(self, header: Header, prompt: str) -> Page:
        """The counts."""
        return CountsPage(
            header, prompt, self._labels, tuple(self._counts), self._index, self._editing, self._caps or ()
        )

    def turn(self, steps: int) -> None:
        """Move the cursor, or change the count under it as far as it can go."""
        if self._editing:
            self._count(self._index, max(0, self._counts[self._index] + steps))
        else:
            self._index = (self._index + steps) % self._lines

    def _count(self, kind: int, wanted: int) -> None:
        cap = bags.FULL if self._caps is None else self._caps[kind]
        room = max(0, self._domain.most - sum(self._counts) + self._counts[kind])
        self._counts[kind] = min(wanted, cap, room)
        if wanted > min(cap, room):
            if cap <= room:
                self._refuse(self._words("counts.cap", kind=self._labels[kind], most=cap))
            else:
                self._refuse(self._words("counts.most", most=self._domain.most))

    @property
    def _lines(self) -> int:
        return len(self._counts) + 1 + (self._caps is not None)

    def _refuse(self, text: str) -> None:
        self._box.refused()
        self._box.toast(text)

    def ok(self) -> str | None:
        """Begin or end a count; on *done* the whole."""
        if self._index < len(self._counts):
            self._editing = not self._editing
        elif self._index > len(self._counts):
            self._caps, self._index = None, 0
            self._box.toast(self._words("counts.lifted"))
        elif sum(self._counts) < self._domain.least:
            self._refuse(self._words("counts.least", least=self._domain.least))
        elif sum(self._counts) > self._domain.most:
            self._refuse(self._words("counts.most", most=self._domain.most))
        else:
            return self._domain.write(sum(bags.one(kind, count) for kind, count in enumerate(self._counts)))
        return None

    def back(self) -> bool:
        """End the count that is being turned."""
        editing, self._editing = self._editing, False
        return editing

    def toward(self, token: str) -> int:
        """First all that must be fewer, so that the whole never grows too large on the way."""
        wanted = bags.counts(self._domain.read(token), len(self._counts))
        here = self._index
        if self._editing:
            return wanted[here] - self._counts[here]
        more = [want - count for want, count in zip(wanted, self._counts, strict=True)]
        left = [kind for kind, less in enumerate(more) if less < 0] or [k for k, n in enumerate(more) if n]
        ways = [around(kind - here, self._lines) for kind in left or [len(self._counts)]]
        return min(ways, key=abs)


class Wheels(Picker):
    """A number by its first digit, then the next and so on, each on a wheel that goes round.

    The first wheel goes through the first digits of the short numbers before those of the long ones: of 0 to
    499 ``_``, ``1_`` … ``9_``, ``1__`` … ``4__``. So a number takes as many presses as it has digits, but two
    at least where it has a wheel of its own.
    """

    def __init__(self, domain: Number) -> None:
        """Begin near the number that the domain begins with."""
        self._domain, self._near = domain, domain.begun
        self._begun: list[Span] = []
        self._open((domain.least, domain.most))

    def show(self, token: str) -> None:
        """The first wheel, each standing where ``token`` goes on."""
        self._near = int(token)
        del self._begun[1:]
        self._open(self._begun.pop())

    def _open(self, span: Span) -> None:
        self._begun.append(span)
        self._spans = spans(*span)
        self._index = self._of(self._near) or 0

    def _of(self, number: int) -> int | None:
        return next((at for at, (low, high) in enumerate(self._spans) if low <= number <= high), None)

    def page(self, header: Header, prompt: str) -> Page:
        """The wheel reached."""
        return WheelPage(header, prompt, tuple(label(*span) for span in self._spans), self._index)

    def turn(self, steps: int) -> None:
        """Go round the wheel."""
        self._index = (self._index + steps) % len(self._spans)

    def ok(self) -> str | None:
        """The next digit; after the last the number."""
        low, high = self._spans[self._index]
        if low == high:
            return str(low)
        self._open((low, high))
        return None

    def back(self) -> bool:
        """The wheel before, where it was left."""
        if len(self._begun) == 1:
            return False
        left = self._begun.pop()
        self._spans = spans(*self._begun[-1])
        self._index = self._spans.index(left)
        return True

    def toward(self, token: str) -> int:
        """The way round to the span that holds it."""
        at = self._of(int(token))
        assert at is not None, f"{token} is none of those on the wheel"
        return around(at - self._index, len(self._spans))


class OnTheCopy(Picker):
    """A fact of the copy: as it is known or supposed, or entered as before a match."""

    def __init__(self, box: Ui, words: Words, domain: Printed) -> None:
        """Begin with what is known of the copy here, else with what the game supposes, if anything."""
        game = words.game.id
        self._box, self._words, self._domain = box, FactWords(schema(game), words.texts), domain
        self._fact = self._words.schema.fact(domain.name)
        self._index = 0
        library = box.desk.library
        file, match = library.copy_of(game), library.referee
        facts = file.load().facts if file else None
        made_up = match is not None and match.replay.header.sample
        here = facts[domain.name] if facts and facts.sample == made_up else None
        self._value = domain.supposed if here is None else here
        told = of_match(self._words.schema, match.replay.header.setup.facts)[0] if match else facts
        self._rows = rows_of(domain.kind, told) if told else ()

    def show(self, token: str) -> None:
        """The fact as ``token`` has it."""
        self._value, self._index = read_word(self._domain.kind, token), 0

    def page(self, header: Header, prompt: str) -> Page:
        """The value there is, and the ways to another."""
        t = self._words.texts
        there = [] if self._value is None else [self._words.value(self._domain.kind, self._value)]
        change = t("facts.change" if there else "facts.enter")
        if self._rows and self._value is not None:
            lines = (t("facts.just_so"), change, t("facts.about"))
            return shown(header, prompt, picture(self._rows, self._value), lines, self._index)
        return ListPage(header, prompt, (*there, change, t("facts.about")), self._index)

    def turn(self, steps: int) -> None:
        """Go through the lines."""
        self._index = (self._index + steps) % (2 + (self._value is not None))

    def ok(self) -> str | None:
        """The value there is; else its entry, or all there is to say of the fact."""
        at = self._index - (self._value is not None)
        if at < 0:
            return write_word(self._domain.kind, self._value)
        if at:
            parts = (self._words.about(self._fact), self._words.remark(self._fact))
            self._box.push(Reader(self._box, self._words.label(self._fact), "\n".join(parts)))
        else:
            enter(self._box, self._words, self._fact, self._value, self._entered, rows=self._rows, sure=False)
        return None

    def _entered(self, data: Any) -> None:
        self._value, self._index = fit(self._domain.kind, data), 0

    def back(self) -> bool:
        """There is nothing to step out of."""
        return False

    def toward(self, token: str) -> int:
        """The way to the value there is, or to the entry of another and through that."""
        entering = toward(self._box.stack, raw(self._domain.kind, read_word(self._domain.kind, token)))
        if entering is not None:
            return entering
        there = self._value is not None
        if there and write_word(self._domain.kind, self._value) == token:
            return -self._index
        return int(there) - self._index


def spans(low: int, high: int) -> list[Span]:
    """The numbers from ``low`` to ``high`` in order, as what a wheel goes through.

    At most ten stand for themselves. Of more, those with the same first digit and as many digits are one.
    """
    if low < 0:
        below = [(-last, -first) for first, last in reversed(spans(max(1, -high), -low))]
        return below + (spans(0, high) if high >= 0 else [])
    if high - low < 10:
        return [(number, number) for number in range(low, high + 1)]
    size = 10
    while size * 10 <= high - low:
        size *= 10
    found = [(max(low, at), min(high, at + size - 1)) for at in range(low // size * size, high + 1, size)]
    return [*(spans(*found[0]) if low < size and size > 10 else found[:1]), *found[1:]]


def label(low: int, high: int) -> str:
    """What the numbers have in common, and a sign for each digit that is open: ``57``, ``5_``, ``1__``."""
    if low == high:
        return str(low)
    sign, first, last = "-" * (low < 0), str(abs(low)), str(abs(high))
    same = 0
    while len(first) == len(last) and first[same] == last[same]:
        same += 1
    return sign + first[:same] + "_" * (max(len(first), len(last)) - same)
