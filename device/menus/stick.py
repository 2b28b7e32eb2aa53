"""A stick: matches for the organiser, the open match for a spare box, a backup of everything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from device.menus.care import update_items
from device.menus.ui import Host, View
from device.menus.views import Item, Menu, TextReader, close
from device.stick import Stick, StickError, Written

Writes = Callable[[], Written]


def stick_menu(box: Host, stick: Stick) -> View:
    """Return the list of what can be written; where no stick is in, how to plug one in."""
    t = box.texts
    if not stick.there:
        return TextReader(box, t("stick.title"), t("stick.none"))
    items = [Item(t("stick.matches"), lambda: _write(box, stick.matches))]
    referee = box.library.referee
    if referee and not referee.replay.over:
        path = Path(referee.path)
        items.append(Item(t("stick.whole"), lambda: _write(box, lambda: stick.whole(path))))
    items.append(Item(t("stick.backup"), lambda: _write(box, stick.backup)))
    items += update_items(box)
    return Menu(box, t("stick.title"), t("stick.what"), items)


def _write(box: Host, writes: Writes) -> None:
    """Write aside, and say what came of it, also to people who have gone on meanwhile."""
    t = box.texts
    waiting = TextReader(box, t("stick.title"), t("stick.writing"))
    box.push(waiting)

    def work() -> Written | StickError:
        try:
            return writes()
        except StickError as error:
            return error

    def done(came: object) -> None:
        if isinstance(came, Written):
            said = t("stick.written", file=came.file, count=came.matches)
            said = "\n".join([said, *(t("stick.left_out", what=one) for one in came.left_out)])
        else:
            said = t("stick.failed", why=str(came))
        if box.stack[-1] is waiting:
            close(box, waiting)
            box.push(TextReader(box, t("stick.title"), said))
            box.on_page()
        else:
            box.toast(said, urgent=True)

    box.aside(work, done)
