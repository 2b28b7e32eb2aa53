"""Pages as plain lines: for a terminal, a log and a screen reader.

Lists, tables and texts are complete, so ``page`` numbers have no effect. Choices that are impossible now
stand in brackets.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from device.screen.pages import (
    CountsPage,
    CropPage,
    GridPage,
    HeaderMark,
    ListPage,
    NoticePage,
    Page,
    PageHeader,
    QrPage,
    TablePage,
    TextPage,
    WheelPage,
)
from engines.board import BoardShape, Cell
from engines.texts import plain

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
    """Return a page as lines of text: header, rule, and body with ``>`` or ``[ ]`` at the cursor."""
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
