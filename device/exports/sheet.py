"""A score sheet to print and sign: one HTML page without scripts or anything from elsewhere.

It fits one page of A4 or Letter: every line keeps its height (what is too long is cut with an ellipsis), and
there are never more lines than fit. Where there are more, the breakdown of the parts gives way to their sums
and the list of rulings ends with how many more there are.
"""

from __future__ import annotations

import html
import string
import tomllib
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.resources import files

import msgspec

from device.exports.account import Account, Ruled
from device.exports.scores import Standing, categories, standing
from device.match import (
    Abandon,
    Adjust,
    Amend,
    Call,
    Dispute,
    Insert,
    Override,
    Phrases,
    Rollback,
    Ruling,
    Strike,
    Words,
)
from device.texts import DEFAULT_LANGUAGE, Texts, plain
from engines.contract import SEATS

LINES = 33
"""Lines of 4.6 mm that a breakdown and the rulings may take together, on a page of Letter."""

RULINGS = 6
"""Of those, what is kept for rulings before a breakdown is shortened."""

WIDE = 90
"""How many characters of a value fit into a line."""

_LONG = ' class="long"'
"""What may take three lines."""

FIGURES = 60
"""How many characters of the figures of all seats fit side by side, as far as those of each fit."""

SHOWN = Override | Adjust | Amend | Strike | Insert | Rollback | Call | Abandon
"""The rulings that a sheet tells."""


def _texts(language: str) -> Texts:
    """What stands on a sheet in a language, in English where there is none."""
    folder = files("device.exports")
    file = folder / f"texts.{language}.toml"
    if not file.is_file():
        file = folder / f"texts.{DEFAULT_LANGUAGE}.toml"
    return Texts(tomllib.loads(file.read_text("utf-8")))


def write(account: Account, language: str = DEFAULT_LANGUAGE) -> str:
    """The page."""
    return _Sheet(account, language).page()


class _Row(msgspec.Struct, frozen=True):
    """A row of the breakdown and how many lines it is high."""

    html: str
    lines: int = 1


class _Sheet:
    def __init__(self, account: Account, language: str) -> None:
        game = account.match.game
        self.account = account
        self.language = language
        texts = Texts.load(language, game.id)
        self.words = Words(texts, game, account.header.names)
        self.texts = _texts(language)
        self.phrases = Phrases(texts, account.header.names)
        self.standing = standing(game, account.match.state, account.header.names)
        self.ranking = ", ".join(self.words.ranking([place.back() for place in self.standing.places]))
        self.lines = LINES - len(self.standing.tallies) - (_high(self.ranking) if self.ranking else 0)

    def __call__(self, key: str, **values: object) -> str:
        return self.texts(f"sheet.{key}", **values)

    def page(self) -> str:
        """The template with everything in its place; what comes from outside is escaped."""
        account = self.account
        breakdown = self.breakdown()
        names = account.header.names
        title = f"{account.match.game.title} – {self('title')}"
        template = (files("device.exports") / "sheet.html").read_text("utf-8")
        return string.Template(template).substitute(
            language=self.language,
            page_title=escape(f"{title}: {', '.join(names)}"),
            title=escape(title),
            mark="".join(f'<span class="mark">{escape(self(mark))}</span>' for mark in self.marks()),
            columns='<col class="name">' + '<col class="points"><col>' * len(names),
            facts=_pairs(self.facts()),
            head="<tr><th></th>"
            + "".join(f'<th colspan="2">{escape(name)}</th>' for name in names)
            + "</tr>",
            rows="".join(row.html for row in (*breakdown, *self.tallies())),
            outcome=_pairs(self.outcome()),
            rulings_title=escape(self("rulings")),
            rulings=self.rulings(self.lines - sum(row.lines for row in breakdown)),
            signatures="".join(f"<p>{escape(name)}</p>" for name in names),
            footer=f"<p>{escape(self.footer())}</p>",
        )

    def marks(self) -> list[str]:
        """What the sheet is not of."""
        return ["simulated"] * self.account.simulated + ["sample"] * self.account.header.sample

    def facts(self) -> list[tuple[str, str]]:
        """When, how closely followed, with which options."""
        account, game = self.account, self.account.match.game
        setup = account.header.setup
        chosen = dict(setup.options)
        options = [
            f"{self.words(f'option.{one.name}')}: "
            f"{self.words(f'option_value.{chosen.get(one.name, one.values[0])}')}"
            for one in game.options
        ]
        first = self("first", name=account.header.names[setup.start])
        return [
            (self("played"), f"{self.when()}; {first}"),
            (self("level"), self(f"level_{setup.level.value}")),
            (self("options"), ", ".join(options) or "–"),
        ]

    def when(self) -> str:
        """The day and how long it took; a match file leaves it to be filled in."""
        log = self.account.log
        if log is None or not log.records:
            return self("by_hand")
        day = datetime.fromtimestamp(log.began_ms // 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
        minutes = round(log.played_ms / 60_000)
        return self("played_at" if minutes else "played_on", day=day, minutes=minutes)

    def breakdown(self) -> list[_Row]:
        """A row for each category, part by part; of many parts only the sums."""
        found = self.standing
        several = len(found.parts) > 1
        rows = [row for part in found.parts for row in self.part(found, part, several)]
        most = self.lines - RULINGS - 1
        if sum(row.lines for row in rows) > most:
            rows = [self.sums(found, part) for part in found.parts]
        if len(rows) > most:
            rows = [*rows[:most], _row(self("more", n=len(rows) - most))]
        points = [(str(score), "") for score in found.scores.values()]
        return [*rows, _row(self("total"), *points, kind="total")]

    def part(self, found: Standing, part: int, several: bool) -> list[_Row]:
        """One part's rows."""
        rows = [self.sums(found, part)] if several else []
        for category in categories(found, part):
            cells = [
                (
                    str(found.sum(seat, part, category)),
                    ", ".join(one.figures for one in found.booked(seat, part, category) if one.figures),
                )
                for seat in found.scores
            ]
            name = self.words(f"category.{category}")
            rows.append(_row(name, *cells, kind="in" if several else ""))
        return rows

    def sums(self, found: Standing, part: int) -> _Row:
        """One part's row of sums."""
        name = self("part", n=part) if part else self("match")
        if part and "part" in self.words.texts:
            name = self.words("part", (("n", part),))
        return _row(name, *((str(found.sum(seat, part)), "") for seat in found.scores), kind="part")

    def tallies(self) -> list[_Row]:
        """What is counted beside the score."""
        return [
            _row(
                f"{self.words(f'tally.{tally.name}')} ({tally.clause})",
                *((str(tally.figures[seat]), "") for seat in self.standing.scores),
            )
            for tally in self.standing.tallies
        ]

    def outcome(self) -> list[tuple[str, str]]:
        """Who won, what decided between level ones, and who says so."""
        account = self.account
        names = [self.words.name(SEATS.index(seat)) for seat in self.standing.winners]
        result = ", ".join(names)
        if not account.over:
            result = f"{self('abandoned' if account.abandoned else 'unfinished')}: {result}"
        outcome = [(self("winner" if len(names) == 1 else "shared"), result)]
        if self.ranking:
            outcome.append((self("places"), self.ranking))
        confirmed = [view.seat for view in account.views if not isinstance(view, Dispute)]
        who = ", ".join(self.phrases.name(seat) for seat in confirmed)
        said = self("by_all", names=who) if confirmed else self("by_nobody")
        outcome.append((self("confirmed"), said))
        disputed = [view for view in account.views if isinstance(view, Dispute)]
        said = "; ".join(self.phrases.say(view, lambda _: "") for view in disputed)
        return [*outcome, (self("disputed"), said)] if disputed else outcome

    def rulings(self, room: int) -> str:
        """At most ``room`` lines of rulings, the last saying how many more there are."""
        told = [one for one in self.account.rulings if not one.undone and isinstance(one.ruling, SHOWN)]
        kept = told if len(told) <= room else told[: room - 1]
        lines = [self.ruling(one, one.ruling) for one in kept if one.ruling is not None]
        if len(told) > len(kept):
            lines.append(f"<li>{escape(self('more', n=len(told) - len(kept)))}</li>")
        return "".join(lines) or f"<li>{escape(self('no_rulings'))}</li>"

    def ruling(self, ruled: Ruled, says: Ruling) -> str:
        """One line: the record and what was ruled."""
        what = ruled.what or self.phrases.texts("ruling.hidden")
        said = self.phrases.say(says, lambda _: what, ruled.by)
        return f"<li><span>{ruled.number}</span>{escape(said)}</li>"

    def footer(self) -> str:
        """Which record this is a sheet of."""
        account, log = self.account, self.account.log
        title, version = account.match.game.title, account.rules_version
        if log is None:
            return f"{self('made')}. {self('footer_file', game=title, version=version)}"
        said = self("footer", game=title, version=version, records=log.records, hash=log.tip)
        return f"{self('made')}. {said}"


def escape(text: str) -> str:
    """Text of people's, fit for the page: neither markup nor what turns the direction of the rest."""
    return html.escape(plain(text))


def _row(name: str, *seats: tuple[str, str], kind: str = "") -> _Row:
    """A row of the table: its name, then points and figures of each seat.

    Where some figures do not fit into a line, the row is two lines high and they are set closer in three.
    """
    tall = any(len(figures) > FIGURES // len(seats) for _, figures in seats)
    cells = [f"<th>{escape(name)}</th>"]
    for points, figures in seats:
        shown = f"<div>{escape(figures.replace(' × ', '×'))}</div>" if tall else escape(figures)
        cells.append(f'<td class="n">{escape(points)}</td><td class="f">{shown}</td>')
    kinds = f"{kind} tall".strip() if tall else kind
    return _Row(f'<tr class="{kinds}">{"".join(cells)}</tr>', 1 + tall)


def _high(value: str) -> int:
    """How many lines a value may take."""
    return 3 if len(value) > WIDE else 1


def _pairs(pairs: Iterable[tuple[str, str]]) -> str:
    return "".join(
        f"<dt>{escape(name)}</dt><dd{_LONG * (_high(value) > 1)}>{escape(value)}</dd>"
        for name, value in pairs
    )
