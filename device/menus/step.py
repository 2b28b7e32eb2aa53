"""The view that puts a step together, question by question, to play now or as a correction.

It answers a refused choice with the reason, and with what people can do about it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from device.match import Question
from device.menus import pickers, ring
from device.menus.ring import Choices, GridMenu, Ring, Stop
from device.menus.rules import make_clause_page, tell_reason
from device.menus.ui import Ui, View, find_shortest_turn
from device.menus.views import Act, Item, Menu, TextReader, leave, show
from device.screen import HeaderMark, ListPage, NoticePage, Page, PageHeader, TextPage, WheelPage
from engines import rules
from engines.contract import Choice, Label, Over, Pending, Picker, Refusal
from engines.match import Match
from engines.texts import breadth
from engines.words import Words

Evidence = tuple[str, Callable[[], None]]
"""An entry that rules something out: its text, and the function that opens it."""

RefusedVerb = tuple[str, Act]
"""A verb without legal choices: its label, and the act that opens them all the same."""

TITLE = 18
"""The characters that fit into a header without scores."""

SIGN = 5
"""The characters of a header that its signs take."""


class StepView(View):
    """The question that a match asks; each OK adds a choice to the step, and the last makes it whole."""

    def __init__(self, box: Ui) -> None:
        """Prepare the view; a subclass calls :meth:`begin` once its match is set."""
        super().__init__(box)
        self.words = box.words
        self.revealed: Any = None

    @property
    def match(self) -> Match:
        """The match of the step, at the point where the step begins."""
        raise NotImplementedError

    def take_step(self, step: Question) -> None:
        """Take the complete step."""
        raise NotImplementedError

    def leave(self) -> None:
        """Take Back before the first choice."""
        self.box.pop()

    def begin(self) -> None:
        """Start with an empty draft."""
        self.drafts = [Question.of(self.match)]
        self.restart_question()

    def restart_question(self) -> None:
        """Begin to ask the question anew: no ring is open, and the cursor is on the likeliest answer."""
        self._at: tuple[Ring, int] | None = None
        self.outer_rings: list[tuple[Ring, int]] = []
        self.picker: pickers.AnswerPicker | None = None
        question = self.question
        if isinstance(question.pending, Over):
            return
        self.picker = pickers.make_picker(self.box, self.words, question.pending)
        last = question.choices[-1:]
        if last and not question.board and not self.picker:
            self._move_to(last)
            if self.outer_rings and len(self.ring.grey) == len(self.ring.stops):
                self._at = self.outer_rings.pop()
            self.index = self.ring.find_near(self.index)

    def _find_cursor(self) -> tuple[Ring, int]:
        """Return the ring and the stop of the cursor; the ring is made on first use."""
        if not self._at:
            found = self._make_ring()
            self._at = found, found.start
        return self._at

    @property
    def ring(self) -> Ring:
        """The stops around the cursor."""
        return self._find_cursor()[0]

    @property
    def index(self) -> int:
        """The stop of the cursor."""
        return self._find_cursor()[1]

    @index.setter
    def index(self, at: int) -> None:
        self._at = self.ring, at

    def _make_ring(self) -> Ring:
        question = self.question
        if isinstance(question.pending, Over):
            return Ring(((),))
        if not question.board or question.sealed:
            return ring.make_list_ring(question)
        return ring.make_board_ring(question, ring.find_last_cell(self.match, question))

    def _move_to(self, made: Sequence[Choice]) -> None:
        """Put the cursor on the stop that makes these choices, if there is one; a picker shows the first."""
        if self.picker and made and made[0].question == self.question.asked.question:
            self.picker.show(made[0].token)
        for at in self.ring.find_way(made) if made else ():
            stop, self.index = self.ring.stops[at], at
            if isinstance(stop, Ring):
                self._open(stop)

    def return_to(self, choice: Choice | None = None) -> None:
        """Return to the question, with the cursor on ``choice`` if given."""
        for _ in self.box.stack[self.box.stack.index(self) + 1 :]:
            self.box.pop()
        if choice:
            self.restart_question()
            self._move_to((choice,))

    def _open(self, inner: Ring) -> None:
        self.outer_rings.append(self._find_cursor())
        self._at = inner, inner.start

    @property
    def question(self) -> Question:
        """The question at the point that the draft has reached."""
        return self.drafts[-1]

    # The page

    def page(self) -> Page:
        """Show the question."""
        question, pending = self.question, self.question.asked
        header = replace(self._make_header(pending), private=question.sealed)
        prompt = self.tell_question(pending)
        if self.covered:
            return NoticePage(header, self.words("play.reveal"))
        if self.picker:
            return self.picker.page(header, prompt)
        found, index = self._find_cursor()
        board, stops, verbs = question.board, found.stops, len(found.verbs)
        on_words = index < verbs or not stops[index]
        shown = [at for at, stop in enumerate(stops) if not verbs or (at < verbs or not stop) == on_words]
        labels = tuple([self.label(found, at) for at in shown])
        grey = tuple([place for place, at in enumerate(shown) if at in found.grey])
        here = shown.index(index)
        if board and not (verbs and on_words):
            return ring.make_board_page(
                self.words, header, prompt, board, labels, [stops[at] for at in shown], here, grey
            )
        if pending.domain.picker is Picker.WHEEL:
            return WheelPage(header, prompt, labels, here)
        return ListPage(header, prompt, labels, here, grey, spoken=bool(question.verbs))

    def tell_question(self, pending: Pending) -> str:
        """Say the question in words."""
        return self.words.prompt(pending)

    def label(self, of: Ring, at: int) -> str:
        """Return the label of a stop: its verb, its choices, or the column of a ring of cells."""
        stop, figures, board = of.stops[at], self.question.asked.figures, self.question.board
        if at < len(of.verbs):
            return self.words(f"verb.{of.verbs[at]}", figures)
        if stop == ring.LEGEND:
            return self.words("grid.legend")
        if isinstance(stop, Ring) and board and (column := ring.name_column(board, stop)):
            choice = next(iter(ring.list_choices(stop)))[0]
            what = self.words.choice(choice).replace(board.name(board.place(choice.token) or 0), "").strip()
            return self.words("grid.column", what=what, column=column).strip()
        if not stop or isinstance(stop, Ring):
            return self.words("play.not_listed")
        alike = len({choice.question for choice in stop}) < len(stop)
        names = [self.question.label(self.words, one) for one in stop]
        return self.words.texts.by_commas(names) if alike else " → ".join(names)

    def _make_header(self, pending: Pending) -> PageHeader:
        """Return the header: the name of the asked player, and the choices of the step so far, if there is
        room.
        """
        words, question = self.words, self.question
        actor = words.name(question.seat) if question.sealed and not self.covered else words.actor(pending)
        said = words.said(question.before, question.choices) if question.choices else ""
        return self.box.header(f"{actor}: {said}" if said else actor, scores=not said)

    @property
    def covered(self) -> bool:
        """True while a sealed question is covered: all read this box, so OK must uncover it first."""
        return self.question.sealed and self.revealed is not self.question.state

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
        if self.covered:
            self.revealed = self.question.state
        elif self.picker:
            if token := self.picker.ok():
                self._try(Choice(self.question.asked.question, token))
        else:
            self._enter(self.ring.stops[self.index])

    def _enter(self, stop: Stop) -> None:
        grey, question = self.index in self.ring.grey, self.question
        if not stop:
            self._open_unlisted()
        elif stop == ring.LEGEND and question.board:
            self.box.push(
                TextReader(self.box, self.words("grid.legend"), ring.tell_legend(self.words, question.board))
            )
        elif isinstance(stop, Ring):
            if grey and self.ring.verbs:
                self._refuse_verb(stop)
            else:
                self._open(stop)
        elif not grey:
            self._confirm_and_take(stop)
        else:
            if len(stop) > 1:
                self.choose(stop[0], forced=False)
            self._try(stop[-1])

    def back(self) -> None:
        """Take one choice back."""
        if self.picker and self.picker.back():
            return
        if self.question.sealed and not self.covered:
            self.revealed = None
        elif self.outer_rings:
            self._at = self.outer_rings.pop()
        elif len(self.drafts) > 1:
            taken_back = self.drafts.pop().choices[len(self.drafts[-1].choices) :]
            self.restart_question()
            self._move_to(taken_back)
        else:
            self.leave()

    # The step

    def take(self, choices: tuple[Choice, ...]) -> None:
        """Take the choices of one stop; one Back steps out of them all."""
        depth, begun = len(self.drafts), len(self.question.choices)

        def list_made() -> tuple[Choice, ...]:
            return self.question.choices[begun:]

        for number, choice in enumerate(choices):
            if list_made() == choices[:number]:  # else the last one has forced it already, or ended the step
                self.choose(choice)
        if list_made()[: len(choices)] == choices:
            del self.drafts[depth:-1]

    def count_detents(self, choices: Sequence[Choice]) -> int:
        """Count the detents of the shortest way to the stop where OK makes the first of ``choices`` or leads
        to it.

        Raises :class:`ValueError` if there is none.
        """
        if self.picker:
            return self.picker.count_detents(choices[0].token)
        way = self.ring.find_way(choices)
        if not way:
            raise ValueError(f"no stop makes {choices[0].token}")
        return find_shortest_turn(way[0] - self.index, len(self.ring.stops))

    def _confirm_and_take(self, stop: Choices) -> None:
        """Take the choices of a stop; ask first if they end or give something up."""
        question = self.question
        label = question.game.rules.gives_up(question.state, stop[0])
        if label and len(question.legal) > 1:
            sure = Sure(self.box, self.words, label, lambda: self.take(stop))
            sure.moved_on = lambda: self.question is not question
            self.box.push(sure)
        else:
            self.take(stop)

    def _try(self, choice: Choice) -> None:
        """Take a choice, or say why not."""
        if refusal := self.question.why_not(choice):
            self.show_refusal(choice, refusal)
        else:
            self.choose(choice)

    def choose(self, choice: Choice, overruled: str = "", *, forced: bool = True) -> None:
        """Take a choice, then every forced one after it unless ``forced`` is False.

        ``overruled`` is the clause that forbids the choice, if the choice is to stand all the same.
        """
        found = self.question.choose(choice, overruled, forced=forced)
        if found.whole:
            self.take_step(found)
        else:
            self.drafts.append(found)
            self.restart_question()

    # Refusals

    def _open_unlisted(self) -> None:
        """Open the answers that are not listed, so that people can ask why not."""
        question = self.question
        shown = {made[0] for made in ring.list_choices(self.ring)}
        items = [
            Item(self.words.choice(one), partial(self.show_refusal, one, why))
            for one in question.every
            if one not in shown and (why := question.why_not(one))
        ]
        prompt = self.words.prompt(question.pending)
        self.box.push(RefusedMenu(self.box, self.words("play.unlisted"), prompt, items))

    def _refuse_verb(self, stop: Ring) -> None:
        """Say why no answer of a verb is possible."""
        verb = self.ring.verbs[self.index]
        if found := self.question.why_none(verb):
            name = self.label(self.ring, self.index)
            self.show_refusal(*found, (name, lambda: self._open(stop)))

    def show_refusal(self, choice: Choice, refusal: Refusal, verb: RefusedVerb | None = None) -> None:
        """Say why, and let people ask further or overrule."""
        self.box.play_refusal()
        self.box.push(WhyNot(self, choice, refusal, verb))

    def list_evidence(self, refusal: Refusal) -> list[Evidence]:
        """Return the entries behind a refusal by knowledge, if they open from here."""
        return []


class RefusedMenu(Menu):
    """A list of refused answers, all grey; OK says why."""

    @property
    def grey(self) -> tuple[int, ...]:
        """All lines."""
        return tuple(range(len(self.items)))


class Sure(Menu):
    """The question before a choice that ends or gives something up; the cursor starts on going on."""

    def __init__(self, box: Ui, words: Words, label: Label, act: Callable[[], None]) -> None:
        """Ask once more: ``label`` says what the choice would give up; ``act`` takes it."""

        items = [Item(words("play.sure_yes"), leave(box, act)), Item(words("play.sure_no"), box.pop)]
        super().__init__(box, words("play.sure"), words(label.key, label.figures), items, 1)


class WhyNot(TextReader):
    """A refusal: the tried choice, the reason, a remedy. OK leads to what people can do about it."""

    def __init__(
        self, step: StepView, choice: Choice, refusal: Refusal, verb: RefusedVerb | None = None
    ) -> None:
        """Show why ``choice`` is refused, or all of its ``verb`` if given; ``step`` stands below."""
        box, words, draft = step.box, step.words, step.drafts[-1]
        self._attempt = draft.make_attempt(step.match, choice, refusal)
        text = tell_reason(words, self._attempt, lambda text: box.pages(TextPage(PageHeader(), text)))
        super().__init__(box, "", text, HeaderMark.REFUSED)
        name = verb[0] if verb else words.choice(choice)
        self.title = self._name_tried(*map(words.choice, draft.choices), name) or words.actor(draft.asked)
        self._verb = verb
        self._step, self._choice, self._refusal = step, choice, refusal
        self._draft = draft

    def _name_tried(self, *names: str) -> str:
        """Name the tried choices, as many of the last as fit whole; empty if none fits."""
        shown = self.box.header()
        room = TITLE - SIGN * bool(shown.stamp)
        tries = (" ".join(names[at:]) for at in range(len(names)))
        words = names[-1].split()
        begun = (" ".join(words[:count]).rstrip(":") for count in range(len(words), 0, -1))
        return next((text for text in (*tries, *begun) if breadth(text) <= room), "")

    def page(self) -> Page:
        """Show the reason, without the scores: they would take the title's room."""
        page = super().page()
        return replace(page, header=replace(page.header, right="", private=self._draft.sealed))

    def go_on(self) -> None:
        """Show what people can do about it."""
        self.box.push(self._make_choices_menu())

    def _make_choices_menu(self) -> Menu:
        box, step, words, refusal = self.box, self._step, self._step.words, self._refusal
        prompt = words("play.what_now")
        items = [Item(words("refusal.leave"), step.return_to)]
        if not self._draft.sealed:
            if self._attempt.may_stand:
                items.append(Item(words("refusal.overrule"), self._overrule))
            else:
                prompt = words("refusal.impossible")
        if self._draft.legal:
            items.append(Item(words("refusal.possible"), lambda: box.push(self._make_possible_menu())))
        clause = rules.spoken(words.game.id, words.texts).clause(refusal.clause)
        items.append(Item(words("refusal.rule"), show(box, make_clause_page, clause)))
        seen = step.list_evidence(refusal)
        items += [Item(words("refusal.seen", (), entry=entry), act) for entry, act in seen]
        return Menu(box, self.title, prompt, items)

    def _overrule(self) -> None:
        step = self._step
        step.return_to()
        if step.drafts[-1] is self._draft and self._verb:
            self._verb[1]()
        elif step.drafts[-1] is self._draft:
            step.choose(self._choice, self._refusal.clause)
        else:  # lost entries, or entries made elsewhere, have changed the question
            step.box.toast(step.words("consent.moved_on"))

    def _make_possible_menu(self) -> Menu:
        """List the legal choices; OK goes there. Cells stand on their board."""
        box, step, words, board = self.box, self._step, self._step.words, self._draft.board
        placed = [(board.place(one.token) if board else None, one) for one in self._draft.legal]
        if board:  # cells first, in reading order
            placed.sort(key=lambda each: (each[0] is None, each[0] or 0))
        items = [Item(words.choice(one), partial(step.return_to, one)) for _, one in placed]
        if not board:
            return Menu(box, words("refusal.legal"), "", items)
        places = [-1 if place is None else place for place, _ in placed]
        return GridMenu(box, words, "", words("refusal.possible"), items, board, places)
