"""`podesta explain FILE [STEP]`: one entry of a match, its alternatives and its effect.

Without STEP it explains the score.
"""

from __future__ import annotations

from collections.abc import Iterator

from device.commands import CommandError, Options, UsageError, command, take
from device.commands.entries import (
    JournalEntry,
    ToldStep,
    explain,
    explain_effect,
    quote_clauses,
    write_score,
)
from device.commands.files import READABLE, OpenedMatch, open_match
from device.exports import Account
from device.match import Adjust, Give, Kind, say_ruling
from engines.contract import ADJUSTMENT, SEATS
from engines.match import Adjustment, Change, Fallen, gains, gains_by_step
from engines.texts import plain
from engines.words import Words


@command(
    take.option("FILE", READABLE),
    take.option(
        "[STEP]",
        "the number of the step in a match file, of the record in a journal; "
        "without it every entry that changed the score, as the match counts now",
        type=take.whole(1, 10**9),
    ),
    take.option("--seat", "without STEP: the points of this seat alone", choices=tuple(SEATS)),
    take.option("--category NAME", "without STEP: of this category alone (plain, king …)"),
    take.language,
)
def run(options: Options) -> None:
    """Explain an entry, or without one the score; raises :class:`CommandError` if the entry is missing or
    does not fit.
    """
    path, number = options.file, options.step
    if number and (options.seat or options.category):
        raise UsageError("--seat and --category ask about the whole match, without STEP")
    opened = open_match(path)
    if not number:
        account = opened.account()
        words = opened.words(options.language)
        print("\n".join(map(plain, explain_score(account, words, options.seat, options.category))))
        opened.damage()
        return
    with opened.followed(options.language):
        told, found = (_explain_step if opened.file else _explain_record)(opened, options.language, number)
    print("\n".join(map(plain, told)))
    if found and found.misfit:
        misfit = opened.words(options.language)("shell.misfit", entry=told[0], why=found.misfit)
        raise CommandError(f"{path.name}: {misfit}")


def _explain_step(opened: OpenedMatch, language: str, number: int) -> tuple[list[str], ToldStep | None]:
    name, file = opened.path.name, opened.file
    assert file
    if number > len(file.steps):
        raise CommandError(f"{name}: there is no step {number}, the last is {len(file.steps)}")
    fitted, words = opened.fitted(number - 1), opened.words(language)
    if fitted.error:
        step = words("shell.step", number=fitted.stuck)
        misfit = words("shell.misfit", entry=step, why=words.misfit(fitted.error))
        raise CommandError(f"{name}: {words('shell.explain_that', misfit=misfit)}")
    head = words("shell.step_of", number=number, all=len(file.steps))
    made, match = file.steps[number - 1], fitted.match
    if isinstance(made, Fallen):
        return [head, words("shell.went_back", stays=made.text)], None
    if isinstance(made, Adjustment):
        before = match.state
        match.adjust(made)
        ruled: Adjust | Give = Adjust(made.seat, made.points, made.reason)
        if made.good:
            ruled = Give(made.seat, made.points, made.good, made.reason)
        said = say_ruling(words, ruled)
        return [head, said, "", *explain_effect(words, before, match.state)], None
    found = explain(words, match, made.seat, made.text, made.waived)
    return [head, *found.lines], found


def _explain_record(opened: OpenedMatch, language: str, number: int) -> tuple[list[str], ToldStep | None]:
    """Explain a record by the match at its time, whatever was ruled later."""
    name, reading = opened.path.name, opened.journal
    assert reading
    if number > len(reading.records):
        damage = f"; {reading.damage}" if reading.damage else ""
        raise CommandError(f"{name}: there is no record {number}, {reading.good}{damage}")
    words, record = opened.words(language), reading.records[number - 1]
    entry = JournalEntry(words, reading, record)
    told = entry.head()
    if entry.secret:
        return [*told, words("shell.secret")], None
    if record.kind is Kind.RULING:
        return [*told, *entry.ruled(), *quote_clauses(words, entry.clauses)], None
    if not record.play:
        return [*told, f"{record.kind.value}: {record.payload}"], None
    fitted = opened.fitted(number - 1)
    if fitted.error:
        before = words("shell.before", number=number)
        misfit = words("shell.misfit", entry=before, why=words.misfit(fitted.error))
        raise CommandError(f"{name}: {misfit}")
    found = explain(words, fitted.match, record.seat, record.payload, entry.waived)
    return [*told, *_list_gains(opened, words, number, found.points), *found.lines], found


def _list_gains(opened: OpenedMatch, words: Words, number: int, then: tuple[Change, ...]) -> list[str]:
    """Return a record's present gains if later rulings changed them, else nothing."""
    now = opened.fitted()
    if number not in now.numbers:
        return []
    at, booked = now.numbers.index(number), now.match.game.scoring.bookings
    gained = gains(*(booked(point.state) for point in now.match.points[at : at + 2]))
    if gained == then:
        return []
    counted = [words.gain(one) for one in gained] or [words("shell.no_points")]
    return [words("shell.now"), *(f"  {one}" for one in counted)]


def explain_score(
    account: Account, words: Words, seat: str | None = None, category: str | None = None
) -> list[str]:
    """Tell the score, then every entry that changed it, and last the clauses.

    ``seat`` and ``category`` limit it to these. Raises :class:`UsageError` for unknown ones.
    """
    match = account.match
    game, state = match.game, match.state
    if seat is not None and SEATS.index(seat) >= len(words.names):
        raise UsageError(f"nobody sits at {seat}")
    known = (*game.scoring.counted(state), ADJUSTMENT)
    if category not in (None, *known):
        raise UsageError(f"no category {category!r} in this match: {', '.join(known)}")

    def is_asked(one: Change) -> bool:
        return seat in (None, SEATS[one.seat]) and category in (None, one.category)

    shown = [words("shell.score", score=write_score(words, state))]
    if seat or category:
        now = [words.held(one) for one in gains((), game.scoring.bookings(state)) if is_asked(one)]
        shown += now or [words("shell.not_booked")]
    clauses: dict[str, None] = {}
    for head, those in _list_entries(account, words):
        kept = [one for one in those if is_asked(one)]
        if kept:
            shown += ["", head, *(f"  {words.gain(one)}" for one in kept)]
            clauses |= dict.fromkeys(one.clause for one in kept if one.clause)
    return [*shown, *quote_clauses(words, tuple(clauses))]


def _list_entries(account: Account, words: Words) -> Iterator[tuple[str, tuple[Change, ...]]]:
    """Yield every entry that counts, in words, with its gains; the first is the start of the match."""
    key = "shell.record" if account.journal else "shell.step"
    heads = [words("why.start")]
    for at, row in enumerate(row for row in account.rows if not row.sealed):
        told = words.texts.recall("reason", row.reason)
        reason = f" ({told})" if told and row.kind != "adjustment" else ""
        heads.append(f"{words(key, number=row.record)}  {words.made(account.match, at)}{reason}")
    return zip(heads, gains_by_step(account.match), strict=True)
