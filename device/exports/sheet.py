"""A score sheet to print and sign: one HTML page without scripts or anything from elsewhere.

It fits one page of A4 or Letter: every line keeps its height (what is too long is cut with an ellipsis), and
there are never more lines than fit. Where there are more, what lies on the table gives way, then the
breakdown of the parts to their sums and the whole match by groups, and the list of rulings ends with how many
more there are.
"""

from __future__ import annotations

import html
import string
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from importlib.resources import files

import msgspec
import segno

from device.exports.account import Account
from device.exports.scores import FinalStanding, ScoreRow, compute_standing, score_rows
from device.match import (
    Abandon,
    Adjust,
    Amend,
    Call,
    Dispute,
    Give,
    Insert,
    MatchResult,
    Override,
    Rollback,
    Strike,
    count_wins,
    say_ruling,
    to_local,
)
from device.texts import Texts
from engines.board import Board, BoardShape
from engines.contract import SEATS, Zone
from engines.texts import DEFAULT_LANGUAGE, apart, breadth, plain
from engines.words import Words, headings

LINES = 33
"""Lines of 4.6 mm that a breakdown and the rulings may take together, on a page of Letter."""

RULINGS = 6
"""The lines of those that are kept for rulings before a breakdown is shortened."""

WIDE = 90
"""The Latin letters of a value that fit into a line; kana and kanji take two."""

WORD = 12
"""The characters of those that a word leaves free at the end of a line that is broken before it."""

_LONG = ' class="long"'
"""What may take three lines."""

BOARD = 9
"""Lines that a picture of the board takes."""

BOARDS = 8
"""Lines that the pictures of several take, a board of every seat's, side by side."""

EVENING = 6
"""The matches of an evening that are listed, the last ones."""

FIGURES = 60
"""How many characters of the figures of all seats fit side by side, as far as those of each fit."""

SHOWN = Override | Adjust | Give | Amend | Strike | Insert | Rollback | Call | Abandon
"""The rulings that a sheet tells."""


def write(account: Account, language: str = DEFAULT_LANGUAGE, evening: Sequence[MatchResult] = ()) -> str:
    """Return the page; ``evening`` has the matches of the evening, this one too, if there are several."""
    return _Sheet(account, language, evening).make_page()


class _Row(msgspec.Struct, frozen=True):
    """A part of the page and how many lines it is high."""

    html: str
    lines: int = 1


class _Sheet:
    def __init__(self, account: Account, language: str, evening: Sequence[MatchResult]) -> None:
        game = account.match.game
        self.account = account
        self.language = language
        texts = Texts.load(language, game.id)
        self.words = Words(texts, game, account.header.names, account.header.setup.facts)
        self.texts = texts
        self.standing = compute_standing(game, account.match.state, account.header.names)
        self.score = list(score_rows(self.words, self.standing))
        self.ranking = texts.by_commas(self.words.ranking([place.back() for place in self.standing.places]))
        self.told = [one for one in account.ruled if isinstance(one.ruling, SHOWN)]
        self.evening = self.describe_evening(evening)
        self.boards = self.draw_boards()
        self.options = self.describe_options()
        self.table = self.describe_zones()
        taken = [
            len(self.standing.tallies),
            len(self.evening),
            len(self.describe_place()),
            _count_lines(text for _, text in self.options) - 1,
        ]
        taken.append(_count_lines([self.ranking]) if self.ranking else 0)
        self.lines = LINES - sum(taken)

    def __call__(self, key: str, **values: object) -> str:
        return self.texts(f"sheet.{key}", **values)

    def make_page(self) -> str:
        """Fill the template; what comes from outside is escaped."""
        account = self.account
        breakdown, table = self.fit_table()
        names = account.header.names
        title = f"{self.words('title')} – {self('title')}"
        template = (files("device.exports") / "sheet.html").read_text("utf-8")
        return string.Template(template).substitute(
            language=self.language,
            page_title=escape(f"{title}: {self.texts.by_commas(names)}"),
            title=escape(title),
            mark="".join(f'<span class="mark">{escape(self(mark))}</span>' for mark in self.list_marks()),
            columns='<col class="name">' + '<col class="points"><col>' * len(names),
            facts=_write_pairs(self.list_facts()),
            head="<tr><th></th>"
            + "".join(f'<th colspan="2">{escape(name)}</th>' for name in names)
            + "</tr>",
            rows="".join(row.html for row in (*breakdown, *self.make_rows("tally"))),
            table=table.html,
            outcome=_write_pairs([*self.describe_outcome(), *self.evening]),
            rulings_title=escape(self("rulings")),
            rulings=self.write_rulings(self.lines - sum(row.lines for row in (*breakdown, table))),
            signatures="".join(f"<p>{escape(name)}</p>" for name in names),
            footer=f"{self.draw_code()}<p>{escape(self.write_footer())}</p>",
        )

    def list_marks(self) -> list[str]:
        """Return the marks of a sheet that is not of a whole real match."""
        return ["simulated"] * self.account.simulated + ["sample"] * self.account.header.sample

    def list_facts(self) -> list[tuple[str, str]]:
        """Tell when the match was played, how closely it was followed, with which options."""
        setup = self.account.header.setup
        first = self("first", name=self.account.header.names[setup.start])
        return [
            (self("played"), self.words.texts.by_semicolons((self.describe_time(), first))),
            (self("level"), self(f"level_{setup.level.value}")),
            *self.describe_place(),
            *self.options,
        ]

    def describe_place(self) -> list[tuple[str, str]]:
        """Return the event and the table it was played at; nothing outside an event."""
        log = self.account.journal
        if not (log and log.event_id):
            return []
        round_told = self("round", round=log.round) if log.round else ""
        return [(self("event"), self.texts.by_commas(filter(None, (log.event_id, log.table_id, round_told))))]

    def draw_code(self) -> str:
        """Return the phrase of a signed record as a QR code; empty for none."""
        log = self.account.journal
        if not (log and log.phrase):
            return ""
        drawn = segno.make(log.phrase.replace(" ", "").upper(), error="m", micro=False)
        return drawn.svg_inline(border=0, unit="mm", scale=0.5, omitsize=False, svgclass="code")

    def describe_options(self) -> list[tuple[str, str]]:
        """Tell the options that matter beside the others, a line each, with what each is about."""
        options, words = self.account.match.game.options, self.words
        chosen = {one.name: one.values[0] for one in options} | dict(self.account.header.setup.options)
        told = []
        for one in options:
            if one.matters(chosen):
                about = f"option_about.{one.name}"
                said = f"{words(f'option.{one.name}')}: {words(f'option_value.{chosen[one.name]}')}"
                told.append(words.texts.sentences([said, words(about)]) if about in words.texts else said)
        return _title_first(self("options"), told or ["–"])

    def describe_time(self) -> str:
        """Tell the day and how long the match took, in local time; a match file leaves it to be filled in."""
        log = self.account.journal
        if log is None or not log.records:
            return self("by_hand")
        day = datetime.fromisoformat(log.began).astimezone().strftime("%Y-%m-%d %H:%M")
        minutes = round(log.minutes)
        return self("played_at" if minutes else "played_on", day=day, minutes=minutes)

    def draw_boards(self) -> list[str]:
        """Draw the boards as they lie in the end; if there are several, each with its owner's name below."""
        game, state = self.account.match.game, self.account.match.state
        sights = [(sight.SEAT, sight.board(state)) for sight in game.in_sight(state).values()]
        boards = [(seat, board) for seat, board in sights if board]
        short = apart(self.account.header.names)

        def piece(mark: str) -> str:
            return short[SEATS.index(mark)][:3] if mark in SEATS else self.words.piece(mark)[:1].upper()

        if len(boards) < 2:
            return [draw_board(board, piece) for _, board in boards]
        return [
            f"<figure>{draw_board(board, piece)}"
            f"<figcaption>{escape(self.words.name(seat))}</figcaption></figure>"
            for seat, board in boards
        ]

    def describe_zones(self) -> list[tuple[str, str]]:
        """Return the zones in the end, those of all and of each seat."""
        found: dict[int | None, list[Zone]] = {}
        for zone in self.account.match.game.telling.zones(self.account.match.state):
            if any(piece.count for piece in zone.pieces):
                found.setdefault(zone.seat, []).append(zone)
        return [
            (self.words.name(seat), self.texts.sentences(self.words.lies(zones)))
            for seat, zones in sorted(found.items(), key=lambda one: (one[0] is not None, one[0]))
        ]

    def describe_evening(self, evening: Sequence[MatchResult]) -> list[tuple[str, str]]:
        """Tell the matches of the evening, a line each, and how many each player has won."""
        if len(evening) < 2:
            return []
        told = []
        for one in evening[-EVENING:]:
            title = Texts.load(self.language, one.game)("title")
            points = zip(one.names, one.points, strict=True)
            scores = self.texts.by_commas(f"{who} {n}" for who, n in points)
            said = f"{to_local(one.began_ms or 0):%H:%M} {title}: {scores}"
            open_ = "" if one.over else self("abandoned" if one.abandoned else "unfinished")
            told.append(f"{said} ({open_})" if open_ else said)
        won = count_wins(evening)
        told.append(
            self("won", who=self.texts.by_commas(f"{name} {won[name]}" for name in self.account.header.names))
        )
        return _title_first(self("evening"), told)

    def fit_table(self) -> tuple[list[_Row], _Row]:
        """Return the breakdown and the table, as much of them as fits.

        What lies beside the board gives way first, then the board, then of many parts all but the sums, above
        them what the whole match brought by category, as long as that fits; a game's groups of categories
        come before what lies on the table.
        """
        several = len(self.standing.parts) > 1
        whole = self.make_rows("part", "category") if several else self.make_rows("category")
        sums, (total,) = self.make_rows("part"), self.make_rows("total")
        least = min(RULINGS, max(1, len(self.told)))
        tables = [_write_table(self.boards, self.table), _write_table(self.boards, []), _Row("", 0)]
        grouped = [*self.make_group_rows(self.standing), *sums]
        ways = [(whole, table) for table in tables]
        if self.account.match.game.scoring.GROUPS:
            ways += [(grouped, table) for table in tables]
        ways += [(rows, table) for table in tables for rows in (grouped, sums)]
        for rows, table in ways:
            if sum(row.lines for row in (*rows, total, table)) <= self.lines - least:
                return [*rows, total], table
        most = self.lines - least - 2
        return [*sums[:most], _make_row(self("more", n=len(sums) - most)), total], tables[-1]

    def make_rows(self, *kinds: str) -> list[_Row]:
        """Return the rows of these ``kinds``, without categories that brought nothing."""
        those = (one for one in self.score if one.kind in kinds and one.booked)
        return [_make_row(one.name, *one.cells, kind=self.choose_style(one)) for one in those]

    def choose_style(self, row: ScoreRow) -> str:
        """Return the style of a row of the score: a category stands under its part if there are several."""
        if row.kind == "category":
            return "in" if len(self.standing.parts) > 1 else ""
        return "" if row.kind == "tally" else row.kind

    def make_group_rows(self, found: FinalStanding) -> list[_Row]:
        """Return the points of the whole match, by category or a game's groups of them."""
        rows = []
        booked = {one.category: None for one in found.bookings}
        there = [each for each in dict.fromkeys((*found.categories, *booked)) if each in booked]
        for heading, together in headings(self.account.match.game, there):
            points = [
                sum(found.sum(seat, part, each) for part in found.parts for each in together)
                for seat in found.scores
            ]
            rows.append(_make_row(self.words(heading), *((str(each), "") for each in points)))
        return rows

    def describe_outcome(self) -> list[tuple[str, str]]:
        """Tell who won, what decided a tie, and who says so."""
        account = self.account
        names = [self.words.name(SEATS.index(seat)) for seat in self.standing.winners]
        result = self.texts.by_commas(names)
        if not account.over:
            result = f"{self('abandoned' if account.abandoned else 'unfinished')}: {result}"
        outcome = [(self("winner" if len(names) == 1 else "shared"), result)]
        if self.ranking:
            outcome.append((self("places"), self.ranking))
        confirmed = [view.seat for view in account.views if not isinstance(view, Dispute)]
        who = self.texts.by_commas(self.words.name(seat) for seat in confirmed)
        said = self("by_all", names=who) if confirmed else self("by_nobody")
        outcome.append((self("confirmed"), said))
        disputed = [view for view in account.views if isinstance(view, Dispute)]
        said = self.texts.by_semicolons(say_ruling(self.words, view) for view in disputed)
        return [*outcome, (self("disputed"), said)] if disputed else outcome

    def write_rulings(self, room: int) -> str:
        """Return at most ``room`` lines of rulings, the last saying how many more there are."""
        told = [(one.record.seq, one.tell(self.words)) for one in self.told]
        kept = told
        while kept and sum(_count_high(said) for _, said in kept) + (len(kept) < len(told)) > room:
            kept = kept[:-1]
        lines = [
            f"<li{_LONG * (_count_high(said) > 1)}><span>{number}</span>{escape(said)}</li>"
            for number, said in kept
        ]
        if len(told) > len(kept):
            lines.append(f"<li>{escape(self('more', n=len(told) - len(kept)))}</li>")
        return "".join(lines) or f"<li>{escape(self('no_rulings'))}</li>"

    def write_footer(self) -> str:
        """Name the record that this is a sheet of."""
        account, log = self.account, self.account.journal
        title, version = self.words("title"), account.rules_version
        if log is None:
            return self.texts.sentences((self("made"), self("footer_file", game=title, version=version)))
        said = self("footer", game=title, version=version, records=log.records, hash=log.tip)
        noted = self("noted", phrase=log.phrase) if log.phrase else ""
        return self.texts.sentences((self("made"), said, noted))


def _make_row(name: str, *seats: tuple[str, str], kind: str = "") -> _Row:
    """Return a row of the table: its name, then points and figures of each seat.

    Where some figures do not fit into a line, the row is two lines high and they are set closer in three.
    """
    tall = any(breadth(figures) > FIGURES // len(seats) for _, figures in seats)
    cells = [f"<th>{escape(name)}</th>"]
    for points, figures in seats:
        shown = f"<div>{escape(figures.replace(' × ', '×'))}</div>" if tall else escape(figures)
        cells.append(f'<td class="n">{escape(points)}</td><td class="f">{shown}</td>')
    kinds = f"{kind} tall".strip() if tall else kind
    return _Row(f'<tr class="{kinds}">{"".join(cells)}</tr>', 1 + tall)


def _write_table(boards: Sequence[str], zones: Sequence[tuple[str, str]]) -> _Row:
    """Return the board and what lies beside it; if there are several boards, below them."""
    wide = WIDE - 30 if len(boards) == 1 else WIDE
    high = _count_lines((text for _, text in zones), wide)
    listed = f"<dl>{_write_pairs(zones, wide)}</dl>"
    if len(boards) > 1:
        return _Row(f"<section>{''.join(boards)}</section>{listed}", BOARDS + high)
    return _Row(f"<section>{''.join(boards)}{listed}</section>", max(BOARD * len(boards), high))


def _count_high(value: str, wide: int = WIDE) -> int:
    """Return how many lines a value may take where so many characters fit into one."""
    return min(3, -(-breadth(value) // (wide - WORD))) if breadth(value) > wide else 1


def _count_lines(values: Iterable[str], wide: int = WIDE) -> int:
    return sum(_count_high(value, wide) for value in values)


def _title_first(title: str, values: Sequence[str]) -> list[tuple[str, str]]:
    """Put each value in a line of its own, the first under the title."""
    return [("" if at else title, value) for at, value in enumerate(values)]


def _write_pairs(pairs: Iterable[tuple[str, str]], wide: int = WIDE) -> str:
    return "".join(
        f"<dt>{escape(name)}</dt><dd{_LONG * (_count_high(value, wide) > 1)}>{escape(value)}</dd>"
        for name, value in pairs
    )


CELL = 20
"""The side of a square or the width of a hex, in units of the picture."""

EDGE = 12
"""The room for the names of columns and rows."""


def draw_board(board: Board, piece: Callable[[str], str]) -> str:
    """Draw the board as SVG inside a page, with its heights (the higher, the darker) and pieces; ``piece``
    returns a piece's short name.

    A ground is shown by its letter, on grey if a piece of its kind lies there; another piece stands before
    it. Columns are named above, rows at the left, as on the box.
    """
    offset = 0 if board.shape is BoardShape.SQUARES else CELL // 2
    width, height = EDGE + board.columns * CELL + offset + 1, EDGE + board.rows * CELL + 1
    drawn = [_draw_text(EDGE + (at + 0.5) * CELL, 9, board.name(at)[0]) for at in range(board.columns)]
    drawn += [_draw_text(5, EDGE + (row + 0.7) * CELL, str(row + 1)) for row in range(board.rows)]
    for place, cell in enumerate(board.cells):
        if cell is None:
            continue
        x, y = EDGE + board.halves(place) * CELL / 2, EDGE + place // board.columns * CELL
        shade = 170 if cell.covered else 255 - 12 * min(cell.height, 12)
        drawn.append(
            f'<rect x="{x:g}" y="{y}" width="{CELL}" height="{CELL}" fill="rgb({shade},{shade},{shade})" '
            'stroke="#444"/>'
        )
        if cell.height:
            drawn.append(_draw_text(x + 5, y + 9, str(cell.height)))
        if cell.ground:
            drawn.append(
                _draw_text(x + (14 if cell.piece and not cell.covered else 10), y + 13, cell.ground.upper())
            )
        if cell.piece and cell.ground and not cell.covered:
            drawn.append(f'<circle cx="{x + 6:g}" cy="{y + 10}" r="5" fill="#fff" stroke="#000"/>')
            drawn.append(_draw_text(x + 6, y + 13, piece(cell.piece)))
        elif cell.piece and not cell.ground:
            drawn.append(f'<circle cx="{x + 13:g}" cy="{y + 13}" r="6" fill="#fff" stroke="#000"/>')
            drawn.append(_draw_text(x + 13, y + 16, piece(cell.piece)))
    return f'<svg viewBox="0 0 {width} {height}" role="img">{"".join(drawn)}</svg>'


def escape(text: str) -> str:
    """Escape people's text for a page: no markup, and no marks that turn the direction of other text."""
    return html.escape(plain(text))


def _draw_text(x: float, y: float, said: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="8" text-anchor="middle">{escape(said)}</text>'
