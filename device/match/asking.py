"""The question of a match at one point of a step: the one value behind menus, page, line and ``explain``.

::

    question = Question.of(match)
    question = question.take("Bd3")          # raises Malformed or Refused
    question.whole or [choice.token for choice in question.legal]
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace

from device.texts import said
from engines.board import Board, board_around
from engines.contract import (
    Choice,
    Decide,
    Domain,
    Game,
    Label,
    Over,
    Pending,
    Picker,
    Printed,
    Refusal,
    Report,
    Verb,
)
from engines.errors import Malformed, Refused
from engines.fact_kinds import read, write_word
from engines.match import Match
from engines.notation import walk
from engines.remedies import Attempt, why_none
from engines.words import Words


class Question(msgspec.Struct, frozen=True, eq=False, dict=True):
    """The question after ``choices`` of a step that began in the state ``before``.

    The choices lead to ``state``. ``waived`` are the clauses to overrule because they forbid some of them;
    ``made`` are the choices without the forced ones at the end. ``seat`` makes the step, None for the table.
    A question never changes: it computes what follows from its state on first use and keeps it. A match that
    has moved on has another question.
    """

    game: Game[Any, Any]
    before: Any
    state: Any
    pending: Pending
    seat: int | None = None
    choices: tuple[Choice, ...] = ()
    waived: tuple[str, ...] = ()
    made: tuple[Choice, ...] = ()

    @classmethod
    def of(cls, match: Match) -> Question:
        """Return the question of a match, put to the first seat that has not answered yet."""
        return cls.at(match.game, match.state, match.pending)

    @classmethod
    def at(
        cls, game: Game[Any, Any], state: Any, pending: Pending | None = None, seat: int | None = None
    ) -> Question:
        """Return the question of a state, put to ``seat`` if it is asked, else to the first asked seat."""
        pending = pending or game.rules.pending(state)
        asked = pending.seats if isinstance(pending, Decide) else (None,)
        return cls(game, state, state, pending, seat if seat in asked else asked[0])

    # The question

    @property
    def asked(self) -> Decide | Report:
        """The pending question; the match must not be over."""
        assert not isinstance(self.pending, Over)
        return self.pending

    @property
    def domain(self) -> Domain | None:
        """The domain of listed answers, None if they are not listed or the match is over."""
        domain = None if isinstance(self.pending, Over) else self.pending.domain
        return domain if isinstance(domain, Domain) else None

    @cached_property
    def sealed(self) -> bool:
        """True if several seats choose at once, each unseen by the others."""
        asked = self.game.rules.pending(self.state) if isinstance(self.pending, Decide) else None
        return isinstance(asked, Decide) and len(asked.seats) > 1

    @property
    def whole(self) -> bool:
        """True if the choices are a whole step."""
        return bool(self.choices) and (self.sealed or not self.pending.open)

    @cached_property
    def legal(self) -> list[Choice]:
        """The legal answers, in the game's order."""
        legal: list[Choice] = self.game.rules.legal(self.state, self.seat)
        return legal

    @property
    def every(self) -> list[Choice]:
        """All listed answers, legal or not, in the domain's order."""
        asked = self.asked
        return [Choice(asked.question, token) for token in asked.domain.tokens]

    @property
    def verbs(self) -> tuple[Verb, ...]:
        """The verbs that group the answers."""
        return self.domain.verbs if self.domain else ()

    @property
    def text(self) -> str:
        """The choices in notation."""
        return self.game.notation.text(self.choices)

    def label(self, words: Words, choice: Choice) -> str:
        """Return the name of an answer."""
        return words.answer(choice, self.asked.figures)

    # The cells of the answers

    @cached_property
    def sight(self) -> tuple[str, Board | None]:
        """The name and board of the sight that shows the answers' cells, ("", None) without one."""
        domain = self.domain
        if not domain or domain.picker is not Picker.GRID:
            return "", None
        sight = self.game.in_sight(self.state)[domain.sight] if domain.sight else self.game.sight
        board: Board | None = sight.board(self.state)
        return (sight.NAME, board) if board else ("", None)

    @cached_property
    def board(self) -> Board | None:
        """The board with the answers' cells, None if they are no cells.

        A game that shows no board has a blank one, of squares.
        """
        domain = self.domain
        blank = board_around(domain.tokens) if domain and domain.picker is Picker.GRID else None
        return blank and (self.sight[1] or blank)

    # Legality

    def why_not(self, choice: Choice) -> Refusal | None:
        """Return the refusal of an answer, None if it is legal."""
        refusal: Refusal | None = self.game.rules.why_not(self.state, choice, self.seat)
        return refusal

    def why_none(self, verb: str) -> tuple[Choice, Refusal] | None:
        """Return the refusal of all answers of a verb, see :func:`engines.remedies.why_none`."""
        return why_none(self.game.rules, self.state, verb, self.seat)

    def list_legal_for(self, seat: int | None, held: str) -> list[Choice] | None:
        """Return the legal answers of ``seat`` with the hidden pieces ``held``; None if ``held`` does not
        apply.
        """
        pending = self.pending
        if seat is None or not held or not isinstance(pending, Decide) or seat not in pending.seats:
            return None
        try:
            found: list[Choice] = self.game.rules.legal_for(self.state, seat, held)
        except Malformed:  # some pieces are no longer in the hand, or contradict what everybody saw since
            return None
        return found

    def make_attempt(self, match: Match, choice: Choice, refusal: Refusal) -> Attempt:
        """Return the refused answer, with the choices before it, as an attempt in ``match``."""
        return Attempt(match, self.choices, choice, refusal, self.seat, self.waived)

    @property
    def against(self) -> list[Refusal]:
        """The overruled refusals of the choices, in order."""
        found = (self.game.rules.why_not(state, choice, self.seat) for state, choice in self._walk())
        return [refusal for refusal in found if refusal and refusal.clause in self.waived]

    @property
    def exposes(self) -> bool:
        """True if a choice shows somebody a hidden piece."""
        return any(self.game.rules.exposes(state, choice) for state, choice in self._walk())

    def _walk(self) -> Iterator[tuple[Any, Choice]]:
        return walk(self.game, self.before, self.choices, self.seat, self.waived)

    @property
    def gives_up(self) -> Label | None:
        """The name of what the choices end or give up, None if they do neither."""
        state, rules = self.before, self.game.rules
        for choice in () if self.sealed else self.choices:
            if label := rules.gives_up(state, choice):
                return label
            state = rules.apply(state, choice)
        return None

    # Answers

    def read(self, text: str) -> Choice:
        """Return the answer with the token ``text``; a printed fact may also be written as people write it.

        Raises :class:`engines.errors.Malformed`.
        """
        domain = self.asked.domain
        if domain.holds(text):
            return Choice(self.asked.question, text)
        if isinstance(domain, Printed):
            try:
                return Choice(self.asked.question, write_word(domain.kind, read(domain.kind, text)))
            except msgspec.MsgspecError:
                pass
        if isinstance(domain, Domain):
            raise Malformed(said("stopped.no_answer", answer=repr(text)))
        raise Malformed(said("stopped.no_value", answer=repr(text), detail=domain.said))

    def take(self, text: str) -> Question:
        """Return the question after an answer; raises as :meth:`read`, and ``Refused`` if it is illegal."""
        choice = self.read(text)
        if refusal := self.why_not(choice):
            raise Refused(refusal, choice.token)
        return self.choose(choice, forced=False)

    def choose(self, choice: Choice, overruled: str = "", *, forced: bool = True) -> Question:
        """Return the question after ``choice`` and, if ``forced``, after each following one without
        alternative.

        ``overruled`` is the clause that forbids the choice, if the choice is to stand all the same.
        """
        rules, choices = self.game.rules, (*self.choices, choice)
        if self.sealed:
            return replace(self, choices=choices, made=choices)
        waived = self.waived
        if overruled:
            state = rules.overrule(self.state, choice, overruled, self.seat)
            waived = tuple(dict.fromkeys((*waived, overruled)))
        else:
            state = rules.apply(self.state, choice)
        pending = rules.pending(state)
        found = replace(self, state=state, pending=pending, choices=choices, waived=waived, made=choices)
        return found.take_forced() if forced else found

    def take_forced(self) -> Question:
        """Return the question after each choice without alternative; itself if there is none."""
        rules, state, pending, choices = self.game.rules, self.state, self.pending, self.choices
        if not choices or self.sealed:
            return self
        while pending.open and len(only := rules.legal(state)) == 1:
            choices = (*choices, only[0])
            state = rules.apply(state, only[0])
            pending = rules.pending(state)
        if choices is self.choices:
            return self
        return replace(self, state=state, pending=pending, choices=choices)
