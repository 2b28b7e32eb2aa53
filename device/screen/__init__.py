"""The box's screen: pages as values, the one language between the menus and everything that draws.

A page says *what* is shown, never the place of its pixels. The OLED (:mod:`device.screen.pixels`), the
terminal and the panel draw the same pages; tests compare pages, and golden pictures compare the OLED's
drawing of them. As lines of text (:func:`text_lines`) they serve a terminal, a log and a screen reader.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from enum import StrEnum

import msgspec

from engines.board import Board, BoardShape, Cell
from engines.texts import plain

COVERED = "● ● ●"
"""The text in place of a private page."""


class HeaderMark(StrEnum):
    """The small sign in the header: the last entry is on the disk or not, or was refused."""

    NONE = ""
    SAVING = "saving"  # accepted, not on the disk yet: the page shows what may be lost, and is drawn so
    RECORDED = "recorded"  # on the disk
    REFUSED = "refused"
    FAILED = "failed"  # the disk did not take it


class HeaderWords(msgspec.Struct, frozen=True):
    """The header's own words, by default in English.

    ``saving`` replaces turn and scores while the last entry is on its way to the disk. A stamp marks a
    simulated box or a match with made-up facts, one joint stamp both; two short words stand small, one over
    the other.
    """

    saving: str = "SAVING…"
    simulated: str = "SIMULATED"
    sample: str = "SAMPLE"
    stamp_simulated: str = "SIM"
    stamp_sample: str = "SAM PLE"
    stamp_both: str = "SIM SMP"


class PageHeader(msgspec.Struct, frozen=True):
    """The top line: ``left`` is whose turn it is or a title, ``right`` the scores, each with as much of its
    name as distinguishes it (``M16 T0``). ``own`` is the score of the asked player, if there is no room for
    all. A ``private`` page, a PIN or a choice unseen by others, is for people at the display: viewers
    elsewhere see its :func:`cover`.
    """

    left: str = ""
    right: str = ""
    mark: HeaderMark = HeaderMark.NONE
    simulated: bool = False
    warning: str = ""  # one word for a part that is away: "line", "disk"
    sample: bool = False  # the match's facts are made up
    own: str = ""
    private: bool = False
    words: HeaderWords = HeaderWords()

    @property
    def stamp(self) -> str:
        """The sign of a simulated box, or of a sample of a copy; empty for neither."""
        if self.simulated and self.sample:
            return self.words.stamp_both
        return self.words.stamp_simulated * self.simulated or self.words.stamp_sample * self.sample


class ListPage(msgspec.Struct, frozen=True, tag=True):
    """A choice of one line: ``items[index]`` has the cursor.

    Items at ``grey`` cannot be chosen now; OK on one says why. ``told`` is the last entry and the orders for
    hands: with it only the item under the cursor is sure to be in sight. If the items are verbs, ``spoken``,
    the prompt gives way to it.
    """

    header: PageHeader
    prompt: str
    items: tuple[str, ...]
    index: int
    grey: tuple[int, ...] = ()
    told: str = ""
    spoken: bool = False


class WheelPage(msgspec.Struct, frozen=True, tag=True):
    """A choice of one short figure (a rank, a count), the chosen one drawn large; ``told`` as in
    :class:`ListPage`.
    """

    header: PageHeader
    prompt: str
    items: tuple[str, ...]
    index: int
    told: str = ""


class Sign(StrEnum):
    """A mark on a cell of the board."""

    EXTRA = "+"  # something stands there that should not
    MISSING = "-"
    BOTH = "±"
    ASKED = "?"  # a question is about this cell


class GridPage(msgspec.Struct, frozen=True, tag=True):
    """A choice of a cell of a board or of a word; without ``items`` a board to look at.

    ``places[i]`` is the place of ``items[i]`` on the board, -1 for a word; ``items[index]`` has the cursor.
    Several items may have one place. ``about`` are short texts on the cell with the cursor, its height first;
    without ``items`` remarks on the picture, a line each, ``more`` for those without room. ``signs`` are
    pairs of place and sign. ``further`` are the places that a word among the items leads to. ``grey`` and
    ``told`` are as in :class:`ListPage`. Cells that nobody calls by a name are not ``named``.
    """

    header: PageHeader
    prompt: str
    board: Board
    items: tuple[str, ...] = ()
    places: tuple[int, ...] = ()
    index: int = 0
    about: tuple[str, ...] = ()
    signs: tuple[tuple[int, Sign], ...] = ()
    further: tuple[int, ...] = ()
    grey: tuple[int, ...] = ()
    told: str = ""
    named: bool = True
    more: str = ""

    @property
    def cursor(self) -> int:
        """The place of the item with the cursor; -1 for a word, or without items."""
        return self.places[self.index] if self.items else -1

    @property
    def words(self) -> tuple[str, ...]:
        """The items that are no cells."""
        return tuple(item for item, place in zip(self.items, self.places, strict=True) if place < 0)

    @property
    def word(self) -> int:
        """The index among the words of the one with the cursor, if no cell has it."""
        return sum(place < 0 for place in self.places[: self.index])


class CropPage(msgspec.Struct, frozen=True, tag=True):
    """A choice of one of a few lines beside a small picture, a PNG of any size."""

    header: PageHeader
    prompt: str
    picture: bytes
    items: tuple[str, ...]
    index: int = 0


class CountsPage(msgspec.Struct, frozen=True, tag=True):
    """An entry of a multiset: a count for each label; ``index`` is the cursor, the last line is *done*.

    With ``caps``, the largest counts, one more line before *done* lifts them.
    """

    header: PageHeader
    prompt: str
    labels: tuple[str, ...]
    counts: tuple[int, ...]
    index: int
    editing: bool = False  # turning changes the count under the cursor instead of moving the cursor
    caps: tuple[int, ...] = ()
    told: str = ""
    more: str = "more"
    done: str = "done"


class TextPage(msgspec.Struct, frozen=True, tag=True):
    """A text of any length, in screens; ``page`` counts from 0, and drawing clamps it.

    With ``until_ok`` only OK takes it away, and its end says so.
    """

    header: PageHeader
    text: str
    page: int = 0
    until_ok: bool = False


class TablePage(msgspec.Struct, frozen=True, tag=True):
    """A breakdown: ``rows`` of a label and a figure for each column; ``page`` as in :class:`TextPage`.

    ``totals``, one for each column, are drawn large on the first page if given; a ``note`` comes after it.
    """

    header: PageHeader
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    totals: tuple[str, ...] = ()
    page: int = 0
    note: str = ""


class NoticePage(msgspec.Struct, frozen=True, tag=True):
    """A short message over everything else; an ``urgent`` one is drawn inverted."""

    header: PageHeader
    text: str
    urgent: bool = False
    fraction: float = -1.0  # 0 to 1 draws a filling bar (a key being held), below 0 none


class QrPage(msgspec.Struct, frozen=True, tag=True):
    """A text for a phone's camera: a QR code with the text beside it; up to 53 letters can be read well."""

    header: PageHeader
    text: str


Page = ListPage | WheelPage | GridPage | CropPage | CountsPage | TextPage | TablePage | NoticePage | QrPage


def cover(page: Page) -> Page:
    """Return what everybody may see of a page: the page itself, or only the header of a private one."""
    return NoticePage(page.header, COVERED) if page.header.private else page


# Pages as lines

_MARKS = {
    HeaderMark.NONE: "",
    HeaderMark.SAVING: "",  # stands first
    HeaderMark.RECORDED: "✓",
    HeaderMark.REFUSED: "✗",
    HeaderMark.FAILED: "⚠",
}

WIDTH = 72
"""The width of texts and the rule, in letters; list items and tables are never cut."""


def text_lines(page: Page) -> tuple[str, ...]:
    """Return a page as lines of text: header, rule, and body with ``>`` or ``[ ]`` at the cursor.

    Lists, tables and texts are complete, so ``page`` numbers have no effect. Choices that are impossible now
    stand in brackets.
    """
    head = _write_header(page.header)
    told, prompt = getattr(page, "told", ""), getattr(page, "prompt", "")
    lines = [head, "-" * min(WIDTH, max(20, len(head)))]
    lines += [f"| {line}" for line in _wrap(told, WIDTH - 2)]
    return tuple(map(plain, [*lines, *[prompt] * bool(prompt), *_write_body(page)]))


def _write_header(header: PageHeader) -> str:
    turn = [f"[{header.words.saving}]"] if header.mark is HeaderMark.SAVING else [header.left, header.right]
    parts = [
        *turn,
        f"!{header.warning}" if header.warning else "",
        f"[{header.words.simulated}]" if header.simulated else "",
        f"[{header.words.sample}]" if header.sample else "",
        _MARKS[header.mark],
    ]
    return "  ".join(part for part in parts if part)


def _write_body(page: Page) -> list[str]:
    match page:
        case ListPage():
            return _write_rows(_bracket_grey(page.items, page.grey), page.index)
        case CropPage():
            return _write_rows(page.items, page.index)
        case WheelPage():
            return [" ".join(f"[{item}]" if at == page.index else item for at, item in enumerate(page.items))]
        case GridPage():
            return _write_grid(page)
        case CountsPage():
            return _write_counts(page)
        case TextPage():
            return [*_wrap(page.text), *["[OK]"] * page.until_ok]
        case TablePage():
            return _write_table(page)
        case NoticePage():
            sign = "!" if page.urgent else "*"
            lines = [f"{sign} {line}" for line in _wrap(page.text, WIDTH - 2)]
            full = round(20 * min(page.fraction, 1.0))
            return [*lines, f"[{'#' * full:.<20}]"] if page.fraction >= 0 else lines
        case QrPage():
            return [f"[QR] {page.text}"]


def _bracket_grey(items: Sequence[str], grey: Sequence[int]) -> list[str]:
    return [f"({item})" if at in grey else item for at, item in enumerate(items)]


def _write_rows(items: Sequence[str], index: int) -> list[str]:
    return [_mark_cursor(at == index) + item for at, item in enumerate(items)]


def _mark_cursor(here: bool) -> str:
    return "> " if here else "  "


def _write_grid(page: GridPage) -> list[str]:
    """Return the board with ``:`` before possible cells, and below it the words on the cursor's."""
    possible = {place for at, place in enumerate(page.places) if at not in page.grey}
    board, cursor, legal, signs = page.board, page.cursor, possible | {*page.further}, dict(page.signs)
    cells = []
    for place, cell in enumerate(board.cells):
        stands = _write_cell(cell) if cell else ""
        before = "[" if place == cursor else signs.get(place, ":" if place in legal else " ")
        cells.append(f"{before}{stands}{']' if place == cursor else ' '}")
    wide = max(map(len, cells))
    wide += wide % 2 * (board.shape is not BoardShape.SQUARES)
    names = "".join(f" {board.name(column)[0]}".ljust(wide) for column in range(board.columns))
    lines = [f"  {names}".rstrip()]
    for row in range(board.rows):
        shown = cells[row * board.columns : (row + 1) * board.columns]
        further = " " * (board.halves(row * board.columns) * wide // 2)
        lines.append(f"{row + 1} {further}{''.join(cell.ljust(wide) for cell in shown)}".rstrip())
    items = _bracket_grey(page.items, page.grey)
    if page.words:
        words = [item for item, place in zip(items, page.places, strict=True) if place < 0]
        words = [f"[{word}]" if cursor < 0 and i == page.word else word for i, word in enumerate(words)]
        lines += _wrap(" · ".join(words))
    if cursor >= 0:
        lines.append("  ".join([_mark_cursor(True) + items[page.index], *page.about]))
    return lines if page.items else [*lines, *page.about]


def _write_cell(cell: Cell) -> str:
    """Write a cell as ``2a``; if it has a ground, with its letter first: ``M``, covered by a piece ``M#``."""
    piece = "#" if cell.covered else cell.piece
    return f"{cell.ground.upper()}{cell.height or ''}{piece}" or "."


def _write_counts(page: CountsPage) -> list[str]:
    wide = max((len(label) for label in page.labels), default=0)
    lines = []
    for i, (label, count) in enumerate(zip(page.labels, page.counts, strict=False)):
        here = i == page.index
        figure = f"[{count}]" if here and page.editing else f" {count}"
        lines.append(f"{_mark_cursor(here)}{label:<{wide}} {figure}")
    more = bool(page.caps)
    done = len(page.labels) + more
    return [
        *lines,
        *[f"{_mark_cursor(page.index == done - 1)}{page.more}"] * more,
        f"{_mark_cursor(page.index >= done)}{page.done} (= {sum(page.counts)})",
    ]


def _write_table(page: TablePage) -> list[str]:
    rows = [("", *page.columns), *page.rows]
    if page.totals:
        rows.append(("=", *page.totals))
    count = max(len(row) for row in rows)
    wide = [max((len(row[i]) for row in rows if i < len(row)), default=0) for i in range(count)]
    table = [
        "  ".join(cell.rjust(wide[i]) if i else cell.ljust(wide[i]) for i, cell in enumerate(row)).rstrip()
        for row in rows
    ]
    return [*table, *_wrap(page.note)]


def _wrap(text: str, width: int = WIDTH) -> list[str]:
    return [line for paragraph in text.splitlines() for line in textwrap.wrap(paragraph, width) or [""]]
