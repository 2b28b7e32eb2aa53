"""Remedies of a refusal, and one refusal for all answers of a verb.

A remedy is a claim; people are told it only if a legal choice makes it true.

``engines/<game>/remedies.toml`` has a row for each text of ``[remedy]``, tried in order::

    "steps.fewer" = { to = "here S{left}" }
    free = { to = "here [a-h].", of = ["place.free", "jump_to.free"] }
    "guard.one_more" = { to = "here allow & here guard" }

``of`` are further refusals with this remedy beside the one of its own name. A refusal's name is its figure
``remedy``, or else its ``variant``, or else its check. ``to`` is a claim, or several that must all hold: a
question, ``here`` for the one that refused, and perhaps a regular expression for the tokens. ``{name}``
stands for a figure of the refusal, or for any of its values; ``seen`` for entries behind the refusal.

A claim holds if such a choice is legal and was not made: here, or where the step asked that question last.
A question that lists no answers counts as having one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from engines import folder, notation
from engines.contract import Choice, Decide, Domain, Over, Refusal, Rules
from engines.errors import Impossible
from engines.match import Match

HERE, SEEN = "here", "seen"

CORRECT, STAND = "correct", "stand"
"""The remedies if no text of the game is true: to correct an entry, or to let it stand."""


class Remedy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The claims of a text, and the further refusals that it is for."""

    to: str
    of: tuple[str, ...] = ()


def load(game_id: str) -> Mapping[str, Remedy]:
    """Return the remedies of a game by the names of their texts; raises :class:`msgspec.MsgspecError`."""
    return _read(folder(game_id) / "remedies.toml")


@lru_cache
def _read(path: Path) -> Mapping[str, Remedy]:
    rows = tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}
    return msgspec.convert(rows, dict[str, Remedy])


def told_of(game_id: str, refusal: Refusal) -> tuple[str, ...]:
    """Return the names of the texts to try after a refusal, in order."""
    figures, rows = dict(refusal.figures), load(game_id)
    names = [figures["remedy"]] if "remedy" in figures else [figures.get("variant"), refusal.check]
    found = (tuple(key for key, row in rows.items() if name in (key, *row.of)) for name in names)
    return next(filter(None, found), ())


class Attempt(msgspec.Struct, frozen=True, dict=True, eq=False):
    """A refused ``choice``, the choices that had ``begun`` its step, the clauses ``waived`` for them, and the
    match at the point where the step begins.
    """

    match: Match
    begun: Sequence[Choice]
    choice: Choice
    refusal: Refusal
    seat: int | None = None
    waived: tuple[str, ...] = ()

    @cached_property
    def _points(self) -> list[tuple[Any, Choice]]:
        """Each choice of the step with the state before it, the refused one last."""
        choices = (*self.begun, self.choice)
        return list(notation.walk(self.match.game, self.match.state, choices, self.seat, self.waived))

    @property
    def remedy(self) -> str:
        """The name of the first text whose claims hold, or else :data:`CORRECT` or :data:`STAND` if possible;
        empty if the game has no text for the refusal.
        """
        rows, names = load(self.match.game.id), told_of(self.match.game.id, self.refusal)
        for name in names:
            if all(map(self.holds, rows[name].to.split(" & "))):
                return name
        if not names:
            return ""
        if self.match.evidence(self.refusal) or not self.may_stand:
            return CORRECT if self.match.steps else ""
        return STAND

    def holds(self, claim: str) -> bool:
        """Return True if a choice that ``claim`` names is legal, or for ``seen`` if entries are behind it."""
        if claim == SEEN:
            return bool(self.match.evidence(self.refusal))
        question, _, tokens = claim.partition(" ")
        for state, made in reversed(self._points):
            asked: Any = self.match.game.rules.pending(state)
            if question in (HERE, asked.question):
                if not asked.domain.listed:
                    return not tokens
                wanted = self._fill_claim(tokens or ".*")
                legal = self.match.game.rules.legal(state, self.seat)
                return any(one != made and re.fullmatch(wanted, one.token) for one in legal)
        return False

    def _fill_claim(self, tokens: str) -> str:
        """Return the tokens of a claim with the figures of the refusal filled in."""
        for name, value in self.refusal.figures:
            either = "|".join(map(re.escape, re.split(", ?", str(value))))
            tokens = tokens.replace(f"{{{name}}}", f"(?:{either})")
        return tokens

    @cached_property
    def may_stand(self) -> bool:
        """True if people may let it stand: it is no sealed choice, and a table can look like that."""
        state, rules = self._points[-1][0], self.match.game.rules
        asked: Any = rules.pending(state)
        if self.choice.question != asked.question or (isinstance(asked, Decide) and len(asked.seats) > 1):
            return False
        try:
            rules.overrule(state, self.choice, self.refusal.clause, self.seat)
        except Impossible:
            return False
        return True


def why_none(
    rules: Rules[Any], state: Any, verb: str, seat: int | None = None
) -> tuple[Choice, Refusal] | None:
    """Return the answer of the named ``verb`` that gets furthest in the checks, and its refusal without the
    figures that depend on the answer; None if an answer is legal, or there is none.

    If the verb has a single answer, its refusal is returned with all figures.
    """
    asked = rules.pending(state)
    if isinstance(asked, Over) or not isinstance(asked.domain, Domain):
        return None
    tokens = next((one.tokens for one in asked.domain.verbs if one.name == verb), ())
    refused: list[tuple[Choice, Refusal]] = []
    for choice in (Choice(asked.question, token) for token in tokens):
        refusal = rules.why_not(state, choice, seat)
        if refusal is None:
            return None
        refused.append((choice, refusal))
    if len(refused) < 2:
        return next(iter(refused), None)
    choice, refusal = max(refused, key=lambda one: one[1].depth)
    figures = tuple(figure for figure in refusal.figures if figure[0] not in refusal.names)
    return choice, replace(refusal, figures=(*figures, ("verb", verb)))
