"""`podesta replay FILE`: replays a match file or a journal strictly, and shows its score.

`podesta tower FILE…`: tells the work of a tower over some matches.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

import engines
from device.commands import CommandError, Exit, Options, UsageError, command, show, take
from device.commands.box import find_state
from device.commands.files import READABLE, FittedMatch, OpenedMatch, open_match
from device.copy_file import CopyFile
from device.exports import (
    STANDING,
    FinalStanding,
    compute_standing,
    list_gains,
    select_followable,
    tell_ties_behind,
    tell_winner,
    write_table,
)
from device.match import RECOVERED, Abandon, JournalFile, Replay, tell_odometer
from device.texts import Texts, in_words
from engines.contract import SEATS
from engines.fact_words import FactWords
from engines.facts import FIELD, SAMPLE_FIELD, of_match, schema
from engines.matchfile import result
from engines.texts import DEFAULT_LANGUAGE, plain
from engines.words import Words


class ReplayLog(msgspec.Struct, frozen=True):
    """The facts that only a journal has.

    ``records`` is the number of good records, ``damage`` the fault of the file ("" for none), ``redacted``
    the number of records without payload in an exported journal, ``drift`` the first record that replays to
    another position than the recorded one (0: none), ``recovered_from`` the damaged file that this one
    continues.
    """

    records: int
    damage: str
    redacted: int
    drift: int
    abandoned: bool
    recovered_from: str


class Replayed(msgspec.Struct, frozen=True):
    """The output of `podesta replay --json`.

    ``kind`` is ``match`` or ``journal``. ``rules_version`` is the version of the rules of play,
    ``replayed_by`` that of this program. ``steps`` counts the steps that fit. ``termination`` is "" for a
    match that has not ended; ``standing`` is then the score if it ended there. ``problems`` are all faults,
    empty for a good file; ``journal`` is null for a match file. ``facts`` are the match's facts of its copy,
    which the replay uses, ``sample`` is true if that copy is made up, ``unlike`` lists differences from the
    copy here.
    """

    file: str
    kind: str
    game: str
    rules_version: int
    replayed_by: int
    names: tuple[str, ...]
    start: str
    level: str
    options: dict[str, str]
    simulated: bool
    steps: int
    termination: str
    result: str
    standing: FinalStanding
    problems: tuple[str, ...]
    journal: ReplayLog | None = None
    facts: dict[str, str] = {}
    sample: bool = False
    unlike: tuple[str, ...] = ()


@command(take.option("FILE", READABLE), take.state, take.language, take.json(Replayed, *STANDING, ReplayLog))
def run(options: Options) -> None:
    """Print the replay, then raise :class:`CommandError` if anything is wrong."""
    found = replay(options.file, find_state(options), DEFAULT_LANGUAGE if options.json else options.language)
    show(options, found, lambda: write_lines(found, options.language), found.problems)


def replay(path: Path, state: Path, language: str = DEFAULT_LANGUAGE) -> Replayed:
    """Replay a file, and compare its copy with the one in the state directory.

    Raises as :func:`device.commands.files.open_match` does.
    """
    opened = open_match(path)
    with opened.followed(language):
        head, fitted, words = opened.header, opened.fitted(), opened.words(language)
        match, setup = fitted.match, head.setup
        game, chosen = match.game, dict(setup.options)
        log = _describe_log(opened.journal, fitted) if opened.journal else None
        return Replayed(
            file=path.name,
            kind="journal" if log else "match",
            game=game.id,
            rules_version=opened.rules_version,
            replayed_by=game.played_by(setup),
            names=head.names,
            start=SEATS[setup.start],
            level=setup.level.value,
            options={option.name: chosen.get(option.name, option.values[0]) for option in game.options},
            simulated=head.simulated,
            steps=len(match.steps),
            termination=match.state.termination,
            result=result(match),
            standing=compute_standing(game, match.state, head.names, list_gains(match, fitted.numbers)),
            problems=tuple(f"{path.name}{wrong}" for wrong in _list_problems(opened, fitted, log, words)),
            journal=log,
            facts=dict(setup.facts),
            sample=head.sample,
            unlike=tuple(CopyFile.of(state, game.id, Texts.load(language, game.id)).unlike(setup)),
        )


def _describe_log(reading: JournalFile, fitted: FittedMatch) -> ReplayLog:
    records = select_followable(reading.records)
    return ReplayLog(
        records=len(reading.records),
        damage=str(reading.damage or ""),
        redacted=sum(record.redacted for record in reading.records),
        drift=0 if fitted.error else Replay(reading.header, records).drift,
        abandoned=any(isinstance(ruled, Abandon) for _, ruled in records.standing),
        recovered_from=reading.header.get(f"{RECOVERED}from", ""),
    )


def _list_problems(
    opened: OpenedMatch, fitted: FittedMatch, log: ReplayLog | None, words: Words
) -> Iterator[str]:
    """Yield the faults of a file, to stand behind its name."""
    file, journal = opened.file, opened.journal
    if journal and journal.damage:
        parts = (in_words(one, words.texts) for one in (journal.damage.why, journal.good))
        yield f": {words.texts.by_semicolons(parts)}"
    if fitted.error:
        step = "step" if file else "record" if fitted.ruled in (0, fitted.stuck) else "as_ruled"
        entry = [words(f"shell.{step}", number=fitted.stuck, ruled=fitted.ruled), repr(fitted.text)]
        told = words("shell.misfit", entry=words.texts.by_commas(entry), why=words.misfit(fitted.error))
        yield f":{file.lines[fitted.stuck - 1]}: {told}" if file else f": {told}"
    elif file and file.result and result(fitted.match) != file.result:
        unlike = words("shell.unlike_result", told=repr(file.result), found=repr(result(fitted.match)))
        yield f": {unlike}"
    if log and log.drift:
        yield f": {words('unread.drift', record=log.drift)}"


def write_lines(found: Replayed, language: str = DEFAULT_LANGUAGE) -> list[str]:
    """Return a replay for people to read, in a ``language``."""
    game = engines.game(found.game)
    words = Words(Texts.load(language, found.game), game, found.names)
    row = words.texts.by_commas
    settings = [
        f"{words('sheet.level')}: {words(f'sheet.level_{found.level}')}",
        *(
            f"{words(f'option.{name}')}: {words(f'option_value.{chosen}')}"
            for name, chosen in found.options.items()
        ),
    ]
    marks = [words("sheet.simulated")] * found.simulated + [words("sheet.sample")] * found.sample
    counts = [words("shell.steps", n=found.steps)]
    if found.journal:
        counts.insert(0, words("shell.records", n=found.journal.records))
        if found.journal.redacted:
            counts.append(words("shell.redacted", n=found.journal.redacted))
    shown = [
        row((words("title"), words("shell.rules", version=found.rules_version), *marks)),
        row(f"{name} ({SEATS[seat]})" for seat, name in enumerate(found.names)),
        row((words("sheet.first", name=found.names[SEATS.index(found.start)]), *settings)),
        row(counts),
    ]
    shown += _list_copy_facts(words, found)
    shown += [words("shell.unlike", what=what) for what in found.unlike]
    if found.rules_version != found.replayed_by:
        shown.append(words("shell.replayed_by", version=found.replayed_by))
    if found.journal and found.journal.recovered_from:
        shown.append(words("shell.goes_on", file=found.journal.recovered_from))
    return [
        *shown,
        "",
        *write_table(words, found.standing),
        "",
        _tell_ending(words, found),
        *tell_ties_behind(words, found.standing),
    ]


def _list_copy_facts(words: Words, found: Replayed) -> Iterator[str]:
    """Yield the match's facts of its copy; facts unknown to this version appear as written."""
    if not found.facts:
        return
    facts, _ = of_match(schema(found.game), tuple(found.facts.items()))
    called = FactWords(facts.schema, words.texts)
    for field, text in found.facts.items():
        name = field.removeprefix(FIELD)
        if name in facts.known and field != name:
            fact = facts.schema.fact(name)
            yield f"{called.label(fact)}: {called.known(fact, facts.known[name])}"
        elif field != SAMPLE_FIELD:
            yield f"{field}: {text}"


def _tell_ending(words: Words, found: Replayed) -> str:
    said = tell_winner(words, found.standing)
    if found.termination:
        return words("shell.over", ending=words(f"termination.{found.termination}"), said=said)
    if found.journal and found.journal.abandoned:
        return words("shell.abandoned", said=said)
    return words("shell.not_over", said=said)


# podesta tower

SCALE = 6
"""The pixels of a picture for each pixel of the display."""


@command(
    take.option("FILE…", f"{READABLE}; the oldest first"),
    take.option("--png PICTURE", "draw it as the display would, too"),
    take.language,
)
def tower(options: Options) -> None:
    """Print the work of the tower; raises :class:`UsageError` for matches of several games or without one."""
    played = [open_match(path).account() for path in options.file]
    games = {one.match.game.id: one.match.game for one in played}
    if len(games) > 1:
        raise UsageError(f"these are matches of {', '.join(games)}; name those of one game")
    (game,) = games.values()
    labels = tell_odometer([one.match for one in played])
    if not labels:
        raise UsageError(f"nothing in {game.title} keeps pieces")
    texts = Texts.load(options.language, game.id)
    lines = Words(texts, game, played[-1].header.names).labels(labels)
    print("\n".join(map(plain, lines)))
    if options.png:
        try:
            _draw(texts("title"), "\n".join(lines), options.png)
        except (OSError, ValueError) as error:
            raise CommandError(f"{options.png}: {error}", code=Exit.UNREADABLE) from error


def _draw(title: str, text: str, file: Path) -> None:
    """Draw a text as a picture, all screens of its page below one another."""
    from PIL import Image  # noqa: PLC0415 – pictures are heavy

    from device.screen import PageHeader, TextPage  # noqa: PLC0415 – as above
    from device.screen.pixels import draw, pages_of  # noqa: PLC0415 – as above

    page = TextPage(PageHeader(title), text)
    screens = [draw(replace(page, page=at)) for at in range(pages_of(page))]
    width, height = screens[0].size
    whole = Image.new("1", (width, height * len(screens)))
    for at, screen in enumerate(screens):
        whole.paste(screen, (0, at * height))
    size = whole.width * SCALE, whole.height * SCALE
    whole.resize(size, Image.Resampling.NEAREST).save(file, "PNG")
