"""Steps in a game master's words: a text for each question.

``said.<question>`` tells a step that begins with an answer to it. Its blanks are those of the question
(``{seat}`` among them, whose turn it is), what the answer is called (``{answer}``) and the figures in that,
and the answer as it is written (``{token}``). An answer that stands ``alone`` has a text of its own,
``said.<question>_<answer>``, of a variant of a question ``said.<question>_<variant>_<answer>``. Where a text
takes more than that, a game's teller makes it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Generic

from engines.contract import Choice, Figures, Label
from engines.kit.rulebook import S

Teller = Callable[[S, Sequence[str]], Label | Iterable[Label]]
"""Tells a step from the state before it and its tokens."""


class Saying(Generic[S]):
    """:meth:`engines.contract.Telling.said` of a game whose answers have a ``label``; ``blanks`` fills those
    of the question asked, ``tellers`` are by the question that a step begins with.
    """

    def __init__(
        self,
        label: Callable[[Choice], Label],
        blanks: Callable[[S], Figures],
        tellers: Mapping[str, Teller[S]],
        alone: Container[str] = (),
    ) -> None:
        """Take what a game has of its own."""
        self._label, self._blanks, self._tellers, self._alone = label, blanks, tellers, alone

    def __call__(self, before: S, choices: Sequence[Choice]) -> tuple[Label, ...]:
        """Tell a step or its beginning."""
        if not choices:
            return ()
        first, tokens = choices[0], [choice.token for choice in choices]
        blanks, teller = self._blanks(before), self._tellers.get(first.question)
        if first.token in self._alone:
            variant = dict(blanks).get("variant")
            asked = first.question if variant is None else f"{first.question}_{variant}"
            return (Label(f"said.{asked}_{first.token}"),)
        if teller:
            told = teller(before, tokens)
            return (told,) if isinstance(told, Label) else tuple(told)
        called = self._label(first)
        figures = (("seat", before.seat), *called.figures, ("token", first.token), *blanks)
        return (Label(f"said.{first.question}", figures, (("answer", (called,)),)),)
