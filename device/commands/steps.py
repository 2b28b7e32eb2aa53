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


class ToldStep(msgspec.Struct, frozen=True):
    """A step for people to read, ``misfit`` why it is none there, else what ``points`` it changed."""

    lines: tuple[str, ...]
    misfit: str = ""
    points: tuple[Change, ...] = ()


def explain(
    words: Words, match: Match, seat: int | None, text: str, waived: tuple[str, ...] = ()
) -> ToldStep:
    """Tell the step ``text`` of ``seat`` in ``match``, with clauses ``waived``: question by question what was
    chosen and what else there was, then what it changed, and the clauses that it touches.
    """
    game, here = match.game, match.state
    clauses = dict.fromkeys(waived)
    shown = [words("shell.stands", clauses=words.all(waived)), ""] if waived else [""]
    try:
        read = match.read(text, seat, waived)
    except EngineError as error:
        asked = [] if isinstance(match.pending, Over) else _asked(words, here, None, seat, clauses)
        head = f"{words.name(seat)}: {text}"
        return ToldStep((head, *shown, *asked, *cited(words, tuple(clauses))), reason(words, error))
    actor, after = read.step.seat, read.after.state
    for state, choice in notation.walk(game, here, read.choices, actor, read.step.waived):
        shown += _asked(words, state, choice, actor, clauses)
    points = gains(game.scoring.bookings(here), game.scoring.bookings(after))
    pending = game.rules.pending(after)
    shown += ["", *effect(words, here, after)]
    shown += [f"  {one}" for one in _differences(game.position.write(here), game.position.write(after))]
    shown.append(f"{words('shell.then')}  {words.actor(pending)}: {words.prompt(pending)}")
    named = [*waived, *(gain.clause for gain in points), *clauses]
    if isinstance(pending, Over):
        named.append(pending.clause)
    head = " – ".join(
        filter(None, (f"{words.name(actor)}: {read.step.text}", words.said(here, read.choices)))
    )
    told = (head, *shown, *cited(words, tuple(dict.fromkeys(filter(None, named)))))
    return ToldStep(told, points=points)


def _asked(
    words: Words, state: Any, choice: Choice | None, seat: int | None, clauses: dict[str, None]
) -> list[str]:
    """Return a question, what was chosen, and what else there was; add the clauses of what was barred."""
    question = Question.at(words.game, state, seat=seat)
    barred: dict[tuple[str, str], list[str]] = {}
    for other in () if isinstance(question.pending, Over) else question.every:
        if refusal := question.why_not(other):
            barred.setdefault((refusal.clause, words.refusal(refusal)), []).append(words.choice(other))
    chosen = words.choice(choice) if choice else words("shell.nothing")
    legal = _short(words, list(map(words.choice, question.legal))) or words("shell.too_many")
    told = [f"{words.prompt(question.pending)}  {chosen}", *_wrapped(f"  {words('shell.legal')}: ", legal)]
    for (clause, why), labels in barred.items():
        told += _wrapped(f"  {words('shell.not')}: ", f"{_short(words, labels)} ({clause}: {why})")
        clauses[clause] = None
    return told


def _differences(before: str, after: str) -> tuple[str, ...]:
    """List the fields that differ between two positions: ``marker=- → a``."""
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
    """Write the score as it is said: ``63 : 66``."""
    return " : ".join(map(str, scores_of(words.game, state, len(words.names))))


def effect(words: Words, before: Any, after: Any) -> list[str]:
    """Tell the score of a state before and one after, and what changed in it."""
    points = gains(*map(words.game.scoring.bookings, (before, after)))
    score = words("shell.score", score=f"{totals(words, before)} → {totals(words, after)}")
    return [score, *(f"  {words.gain(gain)}" for gain in points)]


def cited(words: Words, clauses: Sequence[str]) -> list[str]:
    """Return the text of clauses, under an empty line."""
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
