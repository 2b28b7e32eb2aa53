"""Teaching a camera a copy's pieces with the keys: what to lay out, a picture, and what it taught."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated

from device.menus.fact_entries import enter_number
from device.menus.facts import file_of
from device.menus.ui import Ui, View
from device.menus.views import Item, Menu, Onward, TextReader, close
from device.sensors.host import Lesson, Taught, told
from engines.fact_kinds import number

MM = Annotated[float, number(2, 1000, "mm")]
"""The size of a piece."""
SIDES = ("width", "height")


def teaching_menu(box: Ui) -> View:
    """Return the list of what the cameras of this box can be taught."""
    title, lessons = box.texts("teach.title"), box.lessons
    if not lessons:
        return TextReader(box, title, box.texts("teach.none"))

    def act(lesson: Lesson) -> None:
        _sized(box, lesson, lambda sizes: box.push(LayPage(box, lesson, sizes)))

    items = [Item(one.title(box.texts, box.game_texts[one.game]), partial(act, one)) for one in lessons]
    return Menu(box, title, box.texts("teach.which"), items)


def _sized(box: Ui, lesson: Lesson, then: Callable[[dict[str, tuple[float, float]]], None]) -> None:
    """Ask for the sizes that are not known, one number after the other, then call ``then`` with all."""
    asked = [(name, side) for name in lesson.unknown for side in SIDES]
    entered: list[float] = []

    def take(value: float) -> None:
        entered.append(value)
        ask()

    def ask() -> None:
        if len(entered) == len(asked):
            pairs = zip(entered[::2], entered[1::2], strict=True)
            then(dict(zip(lesson.unknown, pairs, strict=True)))
            return
        name, side = asked[len(entered)]
        words = file_of(box, lesson.game).words
        enter_number(box, words, box.texts(f"teach.{side}", what=name.capitalize()), MM, take)

    ask()


class LayPage(Onward):
    """Says what to lay where, then what a picture taught or what is wrong; the header says what OK does."""

    def __init__(self, box: Ui, lesson: Lesson, sizes: dict[str, tuple[float, float]]) -> None:
        """Ask people to lay out the lesson; ``sizes`` are those that people told."""
        t = box.texts
        super().__init__(box, t("teach.ok"), lesson.lay(t), self._take)
        self._lesson, self._sizes = lesson, sizes
        self._taking = self._learnt = False

    def _take(self) -> None:
        if self._learnt:
            close(self.box, self)
        elif not self._taking:
            self._taking = True
            self._tell("teach.taking", self.box.texts("teach.leave"))
            self.box.teach(self._lesson, self._sizes, self._taught)

    def _taught(self, taught: Taught) -> None:
        self._taking, self._learnt = False, taught.learnt
        said = told(taught, self.box.texts)
        self._tell("teach.title" if taught.learnt else "teach.again", said)
        if self in self.box.stack:
            self.box.on_page()
        else:
            self.box.toast(said)

    def _tell(self, title: str, text: str) -> None:
        self.title, self.text, self.at = self.box.texts(title), text, 0
        self.appear()
