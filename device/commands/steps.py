"""One step in words: what was asked, what was chosen and what else there was, what it changed."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import msgspec

from device.commands.files import reason
from device.match import Question
from engines import notation
from engines.contract import Choice, Over
from engines.errors import EngineError
from engines.gains import Change, gains
from engines.match import Match
from engines.rules import spoken
from engines.words import Words, scores_of

SHOWN = 12
"""A longer list of choices is cut here."""


class Barred(msgspec.Struct, frozen=True):
    """Choices that were not legal, by their names, the clause and why."""

    labels: tuple[str, ...]
    clause: str
    why: str


class StepAnswer(msgspec.Struct, frozen=True):
    """One question of a step; ``chosen`` is "" where nothing that fits was chosen."""

    prompt: str
    chosen: str
    legal: tuple[str, ...]
    barred: tuple[Barred, ...]


class Explained(msgspec.Struct, frozen=True):
    """A step: ``text`` is its notation, ``said`` the same in words. ``misfit`` says why it is none there;
    then nothing follows from it.

    ``waived`` are the clauses that it stands against, ``position`` the fields of the position that differ
    after it, ``scores`` the totals before and after, ``next`` what is asked then, ``ended`` the clause by
    which the match is over.
    """

    player: str
    text: str
    questions: tuple[StepAnswer, ...]
    said: str = ""
    misfit: str = ""
    waived: tuple[str, ...] = ()
    position: tuple[str, ...] = ()
    points: tuple[Change, ...] = ()
    scores: tuple[str, str] = ("", "")
    next: str = ""
    ended: str = ""

    @property
    def clauses(self) -> tuple[str, ...]:
        """The ids of all clauses that were named, each once."""
        named = [gain.clause for gain in self.points]
        named += [barred.clause for asked in self.questions for barred in asked.barred]
        return tuple(dict.fromkeys(clause for clause in (*self.waived, *named, self.ended) if clause))


def explain(
    words: Words, match: Match, seat: int | None, text: str, waived: tuple[str, ...] = ()
) -> Explained:
    """Return what the step ``text`` of ``seat`` does in ``match``, with clauses ``waived``."""
    game, here = match.game, match.state
    try:
        read = match.read(text, seat, waived)
    except EngineError as error:
        asked = () if isinstance(match.pending, Over) else (_asked(words, here, None, seat),)
        return Explained(words.name(seat), text, asked, misfit=reason(words, error), waived=waived)
    actor, after = read.step.seat, read.after.state
    pending = game.rules.pending(after)
    return Explained(
        player=words.name(actor),
        text=read.step.text,
        questions=tuple(
            _asked(words, state, choice, actor)
            for state, choice in notation.walk(game, here, read.choices, actor, read.step.waived)
        ),
        said=words.said(here, read.choices),
        waived=waived,
        position=_differences(game.position.write(here), game.position.write(after)),
        points=gains(game.scoring.bookings(here), game.scoring.bookings(after)),
        scores=(totals(words, here), totals(words, after)),
        next=f"{words.actor(pending)}: {words.prompt(pending)}",
        ended=pending.clause if isinstance(pending, Over) else "",
    )


def _asked(words: Words, state: Any, choice: Choice | None, seat: int | None) -> StepAnswer:
    question = Question.at(words.game, state, seat=seat)
    barred: dict[tuple[str, str], list[str]] = {}
    for other in () if isinstance(question.pending, Over) else question.every:
        if refusal := question.why_not(other):
            barred.setdefault((refusal.clause, words.refusal(refusal)), []).append(words.choice(other))
    return StepAnswer(
        words.prompt(question.pending),
        words.choice(choice) if choice else "",
        tuple(map(words.choice, question.legal)),
        tuple(Barred(tuple(labels), clause, why) for (clause, why), labels in barred.items()),
    )


def _differences(before: str, after: str) -> tuple[str, ...]:
    """The fields that differ between two positions: ``marker=- → a``."""
    if before == after:
        return ()
    if not all("=" in field for text in (before, after) for field in text.split()):
        return (f"{before} → {after}",)
    old, new = (dict(field.split("=", 1) for field in text.split()) for text in (before, after))
    return tuple(
        f"{name}={old.get(name, '')} → {new.get(name, '')}"
        for name in dict.fromkeys((*new, *old))
        if old.get(name) != new.get(name)
    )


def totals(words: Words, state: Any) -> str:
    """The score as it is said: ``63 : 66``."""
    return " : ".join(map(str, scores_of(words.game, state, len(words.names))))


def lines(found: Explained, words: Words) -> list[str]:
    """A step for people to read, with the clauses that it touches."""
    shown = [" – ".join(filter(None, (f"{found.player}: {found.text}", found.said)))]
    if found.waived:
        shown.append(words("shell.stands", clauses=words.all(found.waived)))
    shown.append("")
    for asked in found.questions:
        shown.append(f"{asked.prompt}  {asked.chosen or words('shell.nothing')}")
        legal = _short(words, asked.legal) or words("shell.too_many")
        shown += _wrapped(f"  {words('shell.legal')}: ", legal)
        for barred in asked.barred:
            why = f"{_short(words, barred.labels)} ({barred.clause}: {barred.why})"
            shown += _wrapped(f"  {words('shell.not')}: ", why)
    if not found.misfit:
        shown += ["", *effect(words, found.scores, found.points)]
        shown += [f"  {field}" for field in found.position]
        shown.append(f"{words('shell.then')}  {found.next}")
    return [*shown, *cited(words, found.clauses)]


def effect(words: Words, scores: tuple[str, str], points: Sequence[Change]) -> list[str]:
    """The score before and after, and what changed in it."""
    return [
        words("shell.score", score=f"{scores[0]} → {scores[1]}"),
        *(f"  {words.gain(gain)}" for gain in points),
    ]


def cited(words: Words, clauses: Sequence[str]) -> list[str]:
    """The text of clauses, under an empty line."""
    if not clauses:
        return []
    rules = spoken(words.game.id, words.texts)
    return [
        "",
        *(line for clause in map(rules.clause, clauses) for line in _wrapped(f"{clause.id}  ", clause.text)),
    ]


def _short(words: Words, labels: Sequence[str]) -> str:
    shown = words.texts.row(labels[:SHOWN])
    return words("shell.more", shown=shown, n=len(labels) - SHOWN) if len(labels) > SHOWN else shown


def _wrapped(head: str, text: str) -> list[str]:
    return textwrap.wrap(text, 100, initial_indent=head, subsequent_indent=" " * len(head))
