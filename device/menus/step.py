"""Putting a step together, question by question, whether it is played now or corrected later."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from device.menus import grid, pickers, ring, why_not
from device.menus.ring import Made, Ring, Stop
from device.menus.ui import Ui, around
from device.menus.views import Item, Menu, Reader
from device.screen import Header, ListPage, NoticePage, Page, WheelPage
from engines.board import Board
from engines.contract import Choice, Decide, Domain, Label, Over, Pending, Picker, Refusal, Report
from engines.match import Match
from engines.refusals import why_none
from engines.words import Words


class Drafted(msgspec.Struct, frozen=True):
    """A point of the draft that Back returns to: the state, the choices that led there, and the clauses to be
    overruled because they forbid some of those. ``made`` are the choices without the forced ones at the end.
    """

    state: Any
    choices: tuple[Choice, ...] = ()
    waived: tuple[str, ...] = ()
    made: tuple[Choice, ...] = ()


class StepView(why_not.Asking):
    """The question a match asks; each OK adds a choice to the step, and the last makes it whole."""

    def __init__(self, box: Ui, words: Words) -> None:
        """A subclass calls :meth:`begin` once its match is set."""
        super().__init__(box)
        self.words = words
        self.revealed: Any = None

    @property
    @abstractmethod
    def match(self) -> Match:
        """The match that the step is made in, at the point where the step begins."""

    @abstractmethod
    def whole(self, text: str, seat: int | None, draft: Drafted) -> None:
        """The step is complete: its notation, who makes it, and the last point of the draft."""

    def leave(self) -> None:
        """Back was pressed before the first choice."""
        self.box.pop()

    def begin(self) -> None:
        """Start with an empty draft."""
        self.drafts: list[Drafted] = [Drafted(self.match.state)]
        self.ask()

    def ask(self) -> None:
        """Put the cursor where the answer most likely is."""
        self._stands: tuple[Ring, int] | None = None
        self.around: list[tuple[Ring, int]] = []
        self.picker: pickers.Picker | None = None
        pending = self.pending
        if isinstance(pending, Over):
            return
        self.picker = pickers.picker(self.box, self.words, pending)
        last = self.drafts[-1].choices[-1:]
        if last and not self.board and not self.picker:
            self._stand_on(last)
            if self.around and len(self.ring.grey) == len(self.ring.stops):
                self._stands = self.around.pop()
            self.index = self.ring.near(self.index)

    def _standing(self) -> tuple[Ring, int]:
        """The ring and the stop that the cursor is on; found once somebody looks at the question."""
        if not self._stands:
            found = self._ring()
            self._stands = found, found.start
        return self._stands

    @property
    def ring(self) -> Ring:
        """The stops among which the cursor is."""
        return self._standing()[0]

    @property
    def index(self) -> int:
        """The stop that the cursor is on."""
        return self._standing()[1]

    @index.setter
    def index(self, at: int) -> None:
        self._stands = self.ring, at

    def _ring(self) -> Ring:
        pending, board, options = self.pending, self.board, self.options
        if isinstance(pending, Over):
            return Ring(((),))
        if not board or self.sealed or not isinstance(pending.domain, Domain):
            return ring.listed(self.match.game, self.state, pending, options)
        last = grid.last_cell(board, self.match, self.drafts[-1].choices, self.seat)
        return ring.on_board(self.match.game, self.state, pending, board, options, last)

    def _stand_on(self, made: Sequence[Choice]) -> None:
        """Put the cursor on the stop that makes these choices, if there is one; a picker shows the first."""
        if self.picker and made and made[0].question == self.question.question:
            self.picker.show(made[0].token)
        for at in self.ring.way(made) if made else ():
            stop, self.index = self.ring.stops[at], at
            if isinstance(stop, Ring):
                self._open(stop)

    def _open(self, inner: Ring) -> None:
        self.around.append(self._standing())
        self._stands = inner, inner.start

    @property
    def state(self) -> Any:
        """The state the draft has reached."""
        return self.drafts[-1].state

    @property
    def pending(self) -> Pending:
        """What is asked at the point that the draft has reached."""
        if len(self.drafts) == 1:
            return self.match.pending
        return self.match.game.rules.pending(self.state)

    @property
    def question(self) -> Decide | Report:
        """The question on the screen; there is one as long as the match is not over."""
        pending = self.pending
        assert not isinstance(pending, Over)
        return pending

    @property
    def seat(self) -> int | None:
        """Who is asked, None for the table."""
        pending = self.pending
        return pending.seats[0] if isinstance(pending, Decide) else None

    @property
    def options(self) -> list[Choice]:
        """What is legal, in the game's order."""
        legal: list[Choice] = self.match.game.rules.legal(self.state, self.seat)
        return legal

    @property
    def board(self) -> Board | None:
        """The board that the question's cells stand on; None where it is not about cells."""
        pending = self.pending
        if isinstance(pending, Over):
            return None
        return grid.board_for(self.match.game, self.state, pending.domain)

    # What is shown

    def page(self) -> Page:
        """The question."""
        pending = self.question
        header = replace(self._header(pending), private=self.sealed)
        prompt = self.asked(pending)
        if self.covered:
            return NoticePage(header, self.words("play.reveal"))
        if self.picker:
            return self.picker.page(header, prompt)
        board, stops, index = self.board, self.ring.stops, self.index
        spoken = [at for at in range(len(stops)) if at < len(self.ring.verbs) or not stops[at]]
        shown = [at for at in range(len(stops)) if not self.ring.verbs or (at in spoken) == (index in spoken)]
        labels = tuple(self.label(self.ring, at) for at in shown)
        grey = tuple(place for place, at in enumerate(shown) if at in self.ring.grey)
        here = shown.index(index)
        if board and not (self.ring.verbs and index in spoken):
            return grid.page(
                self.words, header, prompt, board, labels, [stops[at] for at in shown], here, grey
            )
        if pending.domain.picker is Picker.WHEEL:
            return WheelPage(header, prompt, labels, here)
        verbs = isinstance(pending.domain, Domain) and bool(pending.domain.verbs)
        return ListPage(header, prompt, labels, here, grey, spoken=verbs)

    def asked(self, pending: Pending) -> str:
        """The question in words."""
        return self.words.prompt(pending)

    def label(self, of: Ring, at: int) -> str:
        """What a stop is called: its verb, or its choices; of a ring of cells its column."""
        stop = of.stops[at]
        if at < len(of.verbs):
            return self.words(f"verb.{of.verbs[at]}", self.question.figures)
        if stop == ring.LEGEND:
            return self.words("grid.legend")
        if isinstance(stop, Ring) and (board := self.board) and (column := grid.column(board, stop)):
            choice = next(iter(ring.made_in(stop)))[0]
            what = self.words.choice(choice).replace(board.name(board.place(choice.token) or 0), "").strip()
            return self.words("grid.column", what=what, column=column).strip()
        if not stop or isinstance(stop, Ring):
            return self.words("play.not_listed")
        alike = len({choice.question for choice in stop}) < len(stop)
        return (", " if alike else " → ").join(self.words.answer(one, self.question.figures) for one in stop)

    def _header(self, pending: Pending) -> Header:
        """Whose turn it is, and what has been chosen of the step, shown as far as there is room."""
        words, choices = self.words, self.drafts[-1].choices
        actor = words.name(self.seat) if self.sealed and not self.covered else words.actor(pending)
        said = words.said(self.drafts[0].state, choices) if choices else ""
        return self.box.header(f"{actor}: {said}" if said else actor, beside=not said)

    @property
    def sealed(self) -> bool:
        """Whether several choose at once, each unseen by the others."""
        asked = self.match.game.rules.pending(self.state)
        return isinstance(self.pending, Decide) and isinstance(asked, Decide) and len(asked.seats) > 1

    @property
    def covered(self) -> bool:
        """Whether they have yet to show what they chose: all read this box, so that it asks only then."""
        return self.sealed and self.revealed is not self.state

    # The keys

    def turn(self, steps: int) -> None:
        """Move the cursor."""
        if self.covered:
            return
        if self.picker:
            self.picker.turn(steps)
        else:
            self.index = (self.index + steps) % len(self.ring.stops)

    def ok(self) -> None:
        """Choose what the cursor is on."""
        pending = self.question
        if self.covered:
            self.revealed = self.state
        elif self.picker:
            if token := self.picker.ok():
                self._made(Choice(pending.question, token))
        else:
            self._enter(self.ring.stops[self.index])

    def _enter(self, stop: Stop) -> None:
        grey = self.index in self.ring.grey
        if not stop:
            self._wider()
        elif stop == ring.LEGEND:
            self._tell_signs()
        elif isinstance(stop, Ring):
            if grey and self.ring.verbs:
                self._refuse_verb(stop)
            else:
                self._open(stop)
        elif not grey:
            self._surely(stop)
        else:
            if len(stop) > 1:
                self.choose(stop[0], forced=False)
            self._made(stop[-1])

    def back(self) -> None:
        """One choice back."""
        if self.picker and self.picker.back():
            return
        if self.sealed and not self.covered:
            self.revealed = None
        elif self.around:
            self._stands = self.around.pop()
        elif len(self.drafts) > 1:
            left = self.drafts.pop().choices[len(self.drafts[-1].choices) :]
            self.ask()
            self._stand_on(left)
        else:
            self.leave()

    # Putting it together

    def take(self, choices: tuple[Choice, ...]) -> None:
        """Take the choices of one stop; one Back steps out of them all."""
        depth, begun = len(self.drafts), len(self.drafts[-1].choices)
        for number, choice in enumerate(choices):
            if self.drafts[-1].choices[begun:] == choices[:number]:
                self.choose(choice)
        if self.drafts[-1].choices[begun:][: len(choices)] == choices:
            del self.drafts[depth:-1]

    def toward(self, choices: Sequence[Choice]) -> int:
        """The detents from here to where OK makes the first of ``choices`` or leads to it, the shortest way.

        Raises :class:`ValueError` where nothing does.
        """
        if self.picker:
            return self.picker.toward(choices[0].token)
        way = self.ring.way(choices)
        if not way:
            raise ValueError(f"no stop makes {choices[0].token}")
        return around(way[0] - self.index, len(self.ring.stops))

    def _surely(self, stop: Made) -> None:
        """Take the choices of a stop; what ends or gives something up is asked first."""
        label = self.match.game.rules.gives_up(self.state, stop[0])
        if label and len(self.options) > 1:
            self.box.push(Sure(self.box, self.words, label, lambda: self.take(stop)))
        else:
            self.take(stop)

    def _made(self, choice: Choice) -> None:
        """Take what a picker put together, or say why not."""
        refusal = self.match.game.rules.why_not(self.state, choice, self.seat)
        if refusal:
            self.refused(choice, refusal)
        else:
            self.choose(choice)

    def choose(self, choice: Choice, overruled: str = "", *, forced: bool = True) -> None:
        """Take a choice, then every forced one after it unless ``forced`` is False.

        ``overruled`` is the clause that forbids the choice, where it is to stand all the same.
        """
        game, draft = self.match.game, self.drafts[-1]
        choices, state, waived = (*draft.choices, choice), draft.state, draft.waived
        made = choices
        if not self.sealed:
            if overruled:
                state = game.rules.overrule(state, choice, overruled, self.seat)
                waived = tuple(dict.fromkeys((*waived, overruled)))
            else:
                state = game.rules.apply(state, choice)
            while (
                (pending := game.rules.pending(state)).open
                and forced
                and len(only := game.rules.legal(state)) == 1
            ):
                choices = (*choices, only[0])
                state = game.rules.apply(state, only[0])
            if pending.open:
                self.drafts.append(Drafted(state, choices, waived))
                self.ask()
                return
        pending = self.match.pending
        seat = pending.seats[0] if isinstance(pending, Decide) else None
        self.whole(game.notation.text(choices), seat, Drafted(state, choices, waived, made))

    def _tell_signs(self) -> None:
        if board := self.board:
            self.box.push(Reader(self.box, self.words("grid.legend"), grid.legend(self.words, board)))

    # Refusals

    def _wider(self) -> None:
        """Open what is not listed, so that people can ask why not."""
        pending = self.question
        shown = {made[0] for made in ring.made_in(self.ring)}
        every = [Choice(pending.question, token) for token in pending.domain.tokens]
        items = [
            Item(self.words.choice(one), self._refuse(one, why))
            for one in every
            if one not in shown and (why := self._why_not(one))
        ]
        self.box.push(Refused(self.box, self.words("play.unlisted"), self.words.prompt(pending), items))

    def _refuse_verb(self, stop: Ring) -> None:
        """Why nothing of a verb is possible."""
        verb = self.ring.verbs[self.index]
        if found := why_none(self.match.game.rules, self.state, verb, self.seat):
            name = self.label(self.ring, self.index)
            why_not.say(self, *found, (name, lambda: self._open(stop)))

    def _why_not(self, choice: Choice) -> Refusal | None:
        refusal: Refusal | None = self.match.game.rules.why_not(self.state, choice, self.seat)
        return refusal

    def _refuse(self, choice: Choice, refusal: Refusal) -> Callable[[], None]:
        return lambda: self.refused(choice, refusal)

    def refused(self, choice: Choice, refusal: Refusal) -> None:
        """Say why, and let people ask further or overrule."""
        why_not.say(self, choice, refusal)


class Refused(Menu):
    """What is refused, all of it grey; OK says why."""

    @property
    def grey(self) -> tuple[int, ...]:
        """All lines."""
        return tuple(range(len(self.items)))


class Sure(Menu):
    """Asks before what ends or gives something up; the cursor stands on going on."""

    def __init__(self, box: Ui, words: Words, label: Label, act: Callable[[], None]) -> None:
        """``label`` says what would be given up; ``act`` does it."""

        def yes() -> None:
            box.pop()
            act()

        items = [Item(words("play.sure_yes"), yes), Item(words("play.sure_no"), box.pop)]
        super().__init__(box, words("play.sure"), words(label.key, label.figures), items, 1)
