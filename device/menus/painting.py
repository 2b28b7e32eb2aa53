"""Painting what is printed on a small board of hexes: one OK a hex, one for the whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from device.menus.ui import Ui, View, around
from device.menus.views import close
from device.screen import GridPage, PageHeader, Sign
from engines.board import EMPTY, Board, Cell, in_rows
from engines.fact_kinds import Kind, opened
from engines.fact_words import FactWords
from engines.facts import Facts

Rows = tuple[int, ...]
"""How many hexes each row of a board holds."""


def rows_of(kind: Kind, facts: Facts) -> Rows:
    """The rows that signs of this kind stand in on a copy; two of them where nobody knows."""
    said = opened(kind)[1]
    if "signs" not in said:
        return ()
    number, name = said["number"], said["rows"]
    known: Rows = (facts[name] if name else None) or ()
    return known if sum(known) == number else (number - number // 2, number // 2)


def picture(rows: Rows, signs: str) -> Board:
    """A board with the first of its hexes painted."""
    painted = [Cell(ground=sign) for sign in signs]
    return in_rows(rows, [*painted, *[EMPTY] * (sum(rows) - len(signs))])


def shown(
    header: PageHeader,
    prompt: str,
    board: Board,
    lines: Sequence[str],
    index: int,
    doubts: Sequence[int] = (),
) -> GridPage:
    """A painted board beside some lines to choose from; a sign is on those hexes that are in doubt."""
    places = [place for place, cell in enumerate(board.cells) if cell]
    signs = tuple((places[hex_], Sign.ASKED) for hex_ in doubts)
    return GridPage(header, prompt, board, tuple(lines), (-1,) * len(lines), index, signs=signs)


class PaintingPage(View):
    """The cursor on the next hex, the knob goes through what may be there; Back goes a hex back."""

    takes_text = True

    def __init__(
        self,
        box: Ui,
        words: FactWords,
        title: str,
        kind: Kind,
        rows: Rows,
        was: str,
        take: Callable[[str, View], None],
        *,
        sure: bool,
    ) -> None:
        """``was`` are the signs to begin with, empty for none; ``take`` gets them once all are painted, with
        ``sure`` after one more OK.
        """
        super().__init__(box)
        said = opened(kind)[1]
        self._words, self._title, self._rows, self._take, self._sure = words, title, rows, take, sure
        self._signs: str = said["signs"]
        self._was = was
        self._index = 0
        self._stand()

    @property
    def _whole(self) -> bool:
        return len(self.typed) == sum(self._rows)

    def page(self) -> GridPage:
        """The board, and beside it what would be painted next."""
        t = self._words.texts
        if self._whole:
            board = picture(self._rows, self.typed)
            return shown(self.box.header(""), self._title, board, [t("facts.done")], 0)
        at = len(self.typed)
        board = picture(self._rows, self.typed + self._signs[self._index])
        place = [place for place, cell in enumerate(board.cells) if cell][at]
        labels = tuple(map(self._words.sign, self._signs))
        prompt = t("facts.of", title=self._title, number=at + 1, count=sum(self._rows))
        places = (place,) * len(labels)
        return GridPage(self.box.header(""), prompt, board, labels, places, self._index, named=False)

    def turn(self, steps: int) -> None:
        """Go through what may be there."""
        self._index = (self._index + steps) % len(self._signs)

    def toward(self, signs: str) -> int:
        """The detents from here to where OK is pressed next by whoever paints ``signs``."""
        if self._whole:
            return 0
        return around(self._signs.index(signs[len(self.typed)]) - self._index, len(self._signs))

    def ok(self) -> None:
        """Paint the hex; at the end take the whole."""
        count = len(self.typed)
        if count < sum(self._rows):
            self.typed += self._signs[self._index]
            self._stand()
        if count + (not self._sure) >= sum(self._rows):
            self._take(self.typed, self)

    def type(self, text: str) -> None:
        """Take the whole, or say what is wrong with it."""
        self._take(text.strip(), self)

    def back(self) -> None:
        """A hex back, from the first one away."""
        if self.typed:
            last, self.typed = self.typed[-1], self.typed[:-1]
            self._index = self._signs.index(last)
        else:
            close(self.box, self)

    def _stand(self) -> None:
        """Begin the next hex with what was there, else with what was painted last."""
        at = len(self.typed)
        if at < len(self._was):
            self._index = self._signs.index(self._was[at])
