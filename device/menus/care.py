"""Exports to a stick, and the care of the box itself.

The stick takes matches for the organiser, the open match for a spare box, and a backup of everything. It
brings the file that makes this the box of an event. An update, a return to the version before, a restored
backup and a reset begin only while no match is open; the daemon tells the outcome.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from device.menus.ui import Ui, View
from device.menus.views import Act, Item, Menu, TextReader, ask, ask_sure, close, leave, show
from device.stick import Stick, StickError, Written
from device.texts import Said, in_words, reason
from device.update import Care, Request

log = logging.getLogger(__name__)

Asked = tuple[str, str]
"""A question before an action, and the line that says yes."""


class _Looking(TextReader):
    """A text shown while the box looks: no key leaves it, its result takes its place."""

    def ok(self) -> None:
        """Wait for the result."""


def _find_open_match(box: Ui) -> Path | None:
    """Return the file of the open match."""
    referee = box.library.referee
    return Path(referee.path) if referee and not referee.replay.over else None


# To a stick


def make_stick_menu(box: Ui, stick: Stick) -> View:
    """Return the list of exports, or, without a stick, how to plug one in."""
    t = box.texts
    if not stick.there:
        return TextReader(box, t("stick.title"), t("stick.none"))
    writes = {"stick.matches": stick.matches, "stick.backup": stick.backup}
    if path := _find_open_match(box):
        writes = {"stick.matches": stick.matches, "stick.whole": partial(stick.whole, path), **writes}
    items = [Item(t(key), partial(_write, box, act)) for key, act in writes.items()]
    if stick.boxes:
        items.append(Item(t("stick.become"), show(box, _make_become_menu, stick), _why_not_now(box)))
    return Menu(box, t("stick.title"), t("stick.what"), [*items, *_list_update_items(box)])


def _write(box: Ui, writes: Callable[[], Written]) -> None:
    t = box.texts

    def act() -> str:
        came = writes()
        said = t("stick.written", file=came.file, count=came.matches)
        return "\n".join([said, *(t("stick.left_out", what=in_words(one, t)) for one in came.left_out)])

    _act_at_stick(box, act, "stick.failed")


def _make_become_menu(box: Ui, stick: Stick) -> View:
    """List the box files on the stick; the box takes the chosen one and removes it from the stick."""
    t, title = box.texts, box.texts("stick.become")

    def act(file: Path) -> str:
        table, event = stick.become(file)
        return t("stick.became", table=table, event=event)

    def make_item(file: Path) -> Item:
        take = leave(box, _act_at_stick, box, partial(act, file), "stick.not_become", box.restart)
        asked = ask_sure(box, title, t("stick.become_sure", table=file.stem), title, take)
        return Item(file.stem, partial(ask, box, asked))

    return Menu(box, title, t("stick.become_which"), list(map(make_item, stick.boxes)))


def _act_at_stick(
    box: Ui, act: Callable[[], str], failed: str, on_success: Callable[[], object] = lambda: None
) -> None:
    """Act aside, and tell the outcome, also to people who have gone on meanwhile."""
    t = box.texts
    waiting = TextReader(box, t("stick.title"), t("stick.writing"))
    box.push(waiting)

    def work() -> str | StickError:
        try:
            return act()
        except StickError as error:
            return error

    def tell_outcome(came: object) -> None:
        said = t(failed, why=reason(came, t)) if isinstance(came, StickError) else str(came)
        if box.stack[-1] is waiting:
            close(box, waiting)
            box.push(TextReader(box, t("stick.title"), said))
            box.on_page()
        else:
            box.toast(said, urgent=True)
        if not isinstance(came, StickError):
            on_success()

    box.aside(work, tell_outcome)


# The box itself


def _list_update_items(box: Ui) -> list[Item]:
    """Return the line that installs the release on the stick; none without a release."""
    if not (care := box.care) or not (offered := care.offered):
        return []
    file, version = offered
    label = box.texts("care.update", version=version)
    said = box.texts("care.update_sure", here=care.here.version, version=version)
    act = partial(_look, box, care, label, Request("update", file), [(said, label)])
    return [Item(label, act, _why_not_now(box))]


def make_status_page(box: Ui) -> View:
    """Tell the problems since the start, then the state of each part."""
    t, library = box.texts, box.library
    parts = [*(in_words(problem, t) for problem in library.problems), *box.state()]
    if library.simulated:
        parts.insert(0, t("setup.simulated"))
    return TextReader(box, t("setup.status"), "\n".join(parts) or t("setup.fine"))


def list_care_items(box: Ui) -> list[Item]:
    """Return the lines to go back, restore and reset; none if the box cannot do so."""
    if not (care := box.care):
        return []
    t = box.texts
    no_stick = "" if box.stick and box.stick.there else t("stick.none")
    no_backup = no_stick or ("" if care.backups else t("care.no_backup"))
    no_before = "" if care.before else t("care.no_before")
    return [
        Item(t("care.restore"), partial(_restore, box, care), _why_not_now(box) or no_backup),
        Item(t("care.before"), partial(_go_back, box, care), _why_not_now(box) or no_before),
        Item(t("care.reset"), partial(_reset, box, care), _why_not_now(box)),
    ]


def _why_not_now(box: Ui) -> str:
    """Say that nothing can be done while a match is open; empty if none is."""
    return box.texts("care.open") if _find_open_match(box) else ""


def _restore(box: Ui, care: Care) -> None:
    t = box.texts
    title = t("care.restore")

    def make_act(file: str) -> Act:
        asked = [(t("care.restore_sure", file=file), title), (t("care.really"), title)]
        return partial(_look, box, care, title, Request("restore", file), asked)

    items = [Item(file.removeprefix("podesta-backup-"), make_act(file)) for file in care.backups]
    box.push(Menu(box, title, t("care.restore_which"), items))


def _go_back(box: Ui, care: Care) -> None:
    t, label = box.texts, box.texts("care.before_to", version=care.before)
    asked = [(t("care.before_sure", here=care.here.version), label), (t("care.really"), label)]
    _ask(box, care, t("care.before"), Request("back"), asked)


def _reset(box: Ui, care: Care) -> None:
    t = box.texts

    def make_item(said: str, label: str, *, matches: bool) -> Item:
        request, asked = Request("reset", matches=matches), [(t(said), t(label))]
        return Item(t(label), partial(_ask, box, care, t("care.reset"), request, asked))

    items = [
        Item(t("undo.keep"), box.pop),
        make_item("care.reset_stays", "care.reset_stay", matches=False),
        make_item("care.reset_goes", "care.reset_all", matches=True),
    ]
    ask(box, Menu(box, t("care.reset"), t("care.reset_sure"), items))


def _look(box: Ui, care: Care, title: str, request: Request, asked: Sequence[Asked]) -> None:
    """Check the stick's file aside; then ask, or say why it cannot be done."""
    waiting = _Looking(box, title, box.texts("care.looking"))
    box.push(waiting)

    def go_on(why: object) -> None:
        if waiting not in box.stack:
            return  # people have gone on meanwhile
        close(box, waiting)
        if why:
            _say_cannot(box, title, why)
        else:
            _ask(box, care, title, request, asked)
        box.on_page()

    box.aside(partial(care.look, request), go_on)


def _say_cannot(box: Ui, title: str, why: object) -> None:
    assert isinstance(why, str | Said)
    log.warning("not begun: %s", why)
    box.push(TextReader(box, title, box.texts("care.cannot", why=in_words(why, box.texts))))


def _ask(box: Ui, care: Care, title: str, request: Request, asked: Sequence[Asked]) -> None:
    """Ask one question after the other, then request the action; the service manager may take its time."""

    def tell_refusal(why: object) -> None:
        if why:
            _say_cannot(box, title, why)
            box.on_page()

    if asked:
        (said, label), *rest = asked
        ask(box, ask_sure(box, title, said, label, leave(box, _ask, box, care, title, request, rest)))
    elif why := _why_not_now(box):
        tell_refusal(why)
    else:
        box.go_home()
        box.push(TextReader(box, title, box.texts("care.begun")))
        box.aside(partial(care.ask, request), tell_refusal)
