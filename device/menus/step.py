"""Putting a step together, question by question, whether it is played now or corrected later."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from device.match import Words
from device.menus import grid, pickers, ring, why_not
from device.menus.ui import Ui
from device.menus.views import Item, Menu
from device.screen import ListPage, NoticePage, Page, WheelPage
from engines.board import Board
from engines.contract import Choice, Decide, Over, Pending, Picker, Refusal, Report
from engines.match import Match

MORE = "…"
BEGUN = 12
"""How many characters fit into the header beside the scores."""
LINE = 19
"""How many characters fit into a line of a long list."""


class Drafted(msgspec.Struct, frozen=True):
    """A point of the draft that Back returns to: the state, the choices that led there, and the clauses to be
    overruled because they forbid some of those.
    """

    state: Any
    choices: tuple[Choice, ...] = ()
    waived: tuple[str, ...] = ()


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
        self.ring = self._ring()
        self.around: ring.Ring | None = None
        self.index = self.ring.start
        self.picker: pickers.Picker | None = None
        pending = self.pending
        if isinstance(pending, Over):
            return
        self.picker = pickers.picker(self.box, self.words, pending.question, pending.domain)
        if not self.board and not self.picker:
            self._stand_on(self.drafts[-1].choices[-1:])

    def _ring(self) -> ring.Ring:
        options, board, game = self.options, self.board, self.match.game
        if board and not self.sealed:
            return ring.on_board(game, self.state, board, options, self._last_cell(board))
        pending = self.pending
        # A report is entered in the table's own words, one question after the other.
        if self.sealed or not isinstance(pending, Decide) or pending.domain.picker is not Picker.LIST:
            return ring.plain(options)
        merged = ring.listed(game, self.state, options)
        fits = all(len(self._label(None, stop)) <= LINE for stop in merged.stops)
        return merged if fits else ring.plain(options)

    def _last_cell(self, board: Board) -> int | None:
        return grid.last_cell(board, self.match, self.drafts[-1].choices, self.seat)

    def _stand_on(self, made: Sequence[Choice]) -> None:
        """Put the cursor on the stop that makes these choices, if there is one; a picker shows the first."""
        if self.picker and made and made[0].question == self.question.question:
            self.picker.show(made[0].token)
        at = self.ring.at(made)
        self.index = self.index if at is None else at

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
        actor = self.words.name(self.seat) if self.sealed and not self.covered else self.words.actor(pending)
        header = self.box.header(self._begun(actor))
        prompt = self.words.prompt(pending)
        if self.covered:
            return NoticePage(header, self.words("play.reveal"))
        if self.picker:
            return self.picker.page(header, prompt)
        board, stops = self.board, self.ring.stops
        wheel = pending.domain.picker is Picker.WHEEL
        more = MORE if board or wheel else self.words("play.not_listed")
        labels = tuple(self._label(board, stop) or more for stop in stops)
        if board:
            places = grid.places(board, stops)
            further = grid.further(board, stops)
            return grid.page(self.words, header, prompt, board, labels, places, self.index, further)
        if wheel:
            return WheelPage(header, prompt, labels, self.index)
        return ListPage(header, prompt, labels, self.index)

    def _label(self, board: Board | None, stop: ring.Stop) -> str:
        """The names of a stop's choices; of a word answered with a word only the answer, unless a figure.

        Of a ring what its cells are chosen for; empty for what is not listed.
        """
        if isinstance(stop, ring.Ring):
            name = board.name(grid.places(board, stop.stops)[0]) if board else ""
            what = self._label(board, stop.stops[0]).replace(name, "")
            return " ".join(self.words("play.further", what=what).split())
        names = [self.words.choice(choice) for choice in stop]
        if board and stop and board.place(stop[-1].token) is None and any(map(str.isalpha, names[-1])):
            return names[-1]
        cells = board and all(board.place(choice.token) is not None for choice in stop)
        alike = len({choice.question for choice in stop}) < len(stop)
        return (" → " if cells else ", " if alike else " ").join(names)

    def _begun(self, actor: str) -> str:
        """The step so far and whose turn it is; of a long step only its end, without a name."""
        text = self.match.game.notation.text(self.drafts[-1].choices)
        if len(text) + len(actor) < BEGUN:
            return f"{text} {actor}".lstrip()
        return (text if len(text) <= BEGUN else f"…{text[1 - BEGUN :]}") or actor

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
        elif isinstance(stop := self.ring.stops[self.index], ring.Ring):
            self.around, self.ring, self.index = self.ring, stop, stop.start
        elif stop:
            self.take(stop)
        else:
            self._wider(pending)

    def back(self) -> None:
        """One choice back."""
        if self.picker and self.picker.back():
            return
        if self.sealed and not self.covered:
            self.revealed = None
        elif self.around:
            self.ring, self.index = self.around, self.around.stops.index(self.ring)
            self.around = None
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
        at = self.ring.at(choices)
        if at is None:
            raise ValueError(f"no stop makes {choices[0].token}")
        return pickers.around(at - self.index, len(self.ring.stops))

    def _made(self, choice: Choice) -> None:
        """Take what a picker put together, or say why not."""
        refusal = self.match.game.rules.why_not(self.state, choice, self.seat)
        if refusal:
            self.refused(choice, refusal)
        else:
            self.choose(choice)

    def choose(self, choice: Choice, overruled: str = "") -> None:
        """Take a choice, then every forced one after it.

        ``overruled`` is the clause that forbids the choice, where it is to stand all the same.
        """
        game, draft = self.match.game, self.drafts[-1]
        choices, state, waived = (*draft.choices, choice), draft.state, draft.waived
        if not self.sealed:
            if overruled:
                state = game.rules.overrule(state, choice, overruled, self.seat)
                waived = tuple(dict.fromkeys((*waived, overruled)))
            else:
                state = game.rules.apply(state, choice)
            while (pending := game.rules.pending(state)).open and len(only := game.rules.legal(state)) == 1:
                choices = (*choices, only[0])
                state = game.rules.apply(state, only[0])
            if pending.open:
                self.drafts.append(Drafted(state, choices, waived))
                self.ask()
                return
        pending = self.match.pending
        seat = pending.seats[0] if isinstance(pending, Decide) else None
        self.whole(game.notation.text(choices), seat, Drafted(state, choices, waived))

    # Refusals

    def _wider(self, pending: Decide | Report) -> None:
        """Open what is not listed, so that people can ask why not."""
        game, state = self.match.game, self.state
        listed = set(self.options)
        board = self.board
        every = [Choice(pending.question, token) for token in pending.domain.tokens]
        refused = {
            choice: refusal
            for choice in (grid.in_reading_order(board, every) if board else every)
            if choice not in listed and (refusal := game.rules.why_not(state, choice, self.seat))
        }
        items = [Item(self.words.choice(one), self._refuse(one, why)) for one, why in refused.items()]
        items += [Item(self.words.choice(word), self._go_into(word)) for word in self.ring.opened]
        title, prompt = self.words("play.unlisted"), self.words.prompt(pending)
        if not items:
            self.box.toast(self.words("play.all_listed"))
        elif board:
            places = grid.places(board, [(one,) for one in (*refused, *self.ring.opened)])
            last = self._last_cell(board)
            index = 0 if last is None else grid.nearest(board, places, last) or 0
            self.box.push(grid.GridMenu(self.box, self.words, title, prompt, items, board, places, index))
        else:
            self.box.push(Menu(self.box, title, prompt, items))

    def _go_into(self, word: Choice) -> Callable[[], None]:
        """Go on to the question that a word opens, even where it has a single answer."""

        def act() -> None:
            self.box.pop()
            draft = self.drafts[-1]
            state = self.match.game.rules.apply(draft.state, word)
            self.drafts.append(Drafted(state, (*draft.choices, word), draft.waived))
            self.ask()

        return act

    def _refuse(self, choice: Choice, refusal: Refusal) -> Callable[[], None]:
        return lambda: self.refused(choice, refusal)

    def refused(self, choice: Choice, refusal: Refusal) -> None:
        """Say why, and let people ask further or overrule."""
        why_not.say(self, choice, refusal)
