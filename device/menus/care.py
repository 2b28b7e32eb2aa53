"""What the box has done to itself: an update, the version before, a backup put back, all as new.

None of it begins while a match is open. The daemon tells what came of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from device.menus.ui import Host
from device.menus.views import Act, Item, Menu, TextReader, ask, close
from device.update import Care, Request

Asked = tuple[str, str]
"""A question before something is done, and the line that says yes."""


class _Looking(TextReader):
    """A text that OK does not leave: something comes in its place."""

    def ok(self) -> None:
        """Wait for it."""


def update_items(box: Host) -> list[Item]:
    """Return the line that installs the release on the stick; none where there is no release."""
    if not (care := box.care) or not (offered := care.offered):
        return []
    file, version = offered
    label = box.texts("care.update", version=version)

    def act() -> None:
        said = box.texts("care.update_sure", here=care.here.version, version=version)
        _look(box, care, label, Request("update", file), [(said, label)])

    return [Item(label, act, _open(box))]


def care_items(box: Host) -> list[Item]:
    """Return the lines for going back, restoring and resetting; none where the box cannot have it done."""
    if not (care := box.care):
        return []
    t = box.texts
    no_stick = "" if box.stick and box.stick.there else t("stick.none")
    no_backup = no_stick or ("" if care.backups else t("care.no_backup"))
    no_before = "" if care.before else t("care.no_before")
    return [
        Item(t("care.restore"), lambda: _restore(box, care), _open(box) or no_backup),
        Item(t("care.before"), lambda: _back(box, care), _open(box) or no_before),
        Item(t("care.reset"), lambda: _reset(box, care), _open(box)),
    ]


def _open(box: Host) -> str:
    """Return why nothing can be done while a match is open; empty where none is."""
    referee = box.library.referee
    return box.texts("care.open") if referee and not referee.replay.over else ""


def _restore(box: Host, care: Care) -> None:
    t = box.texts

    def chosen(file: str) -> Act:
        said = t("care.restore_sure", file=file)
        asked = [(said, t("care.restore")), (t("care.really"), t("care.restore"))]
        return lambda: _look(box, care, t("care.restore"), Request("restore", file), asked)

    items = [Item(file.removeprefix("podesta-backup-"), chosen(file)) for file in care.backups]
    box.push(Menu(box, t("care.restore"), t("care.restore_which"), items))


def _back(box: Host, care: Care) -> None:
    t, label = box.texts, box.texts("care.before_to", version=care.before)
    asked = [(t("care.before_sure", here=care.here.version), label), (t("care.really"), label)]
    _ask(box, care, t("care.before"), Request("back"), asked)


def _reset(box: Host, care: Care) -> None:
    t = box.texts

    def chosen(said: str, label: str, *, matches: bool) -> Act:
        asked = [(t(said), t(label))]
        return lambda: _ask(box, care, t("care.reset"), Request("reset", matches=matches), asked)

    items = [
        Item(t("undo.keep"), box.pop),
        Item(t("care.reset_stay"), chosen("care.reset_stays", "care.reset_stay", matches=False)),
        Item(t("care.reset_all"), chosen("care.reset_goes", "care.reset_all", matches=True)),
    ]
    ask(box, Menu(box, t("care.reset"), t("care.reset_sure"), items))


def _look(box: Host, care: Care, title: str, request: Request, asked: Sequence[Asked]) -> None:
    """Check what is on the stick, aside; then ask, or say why it cannot be done."""
    waiting = _Looking(box, title, box.texts("care.looking"))
    box.push(waiting)

    def done(why: object) -> None:
        if waiting not in box.stack:
            return  # people have gone on meanwhile
        close(box, waiting)
        if why:
            box.push(TextReader(box, title, box.texts("care.cannot", why=str(why))))
        else:
            _ask(box, care, title, request, asked)
        box.on_page()

    box.aside(lambda: care.look(request), done)


def _ask(box: Host, care: Care, title: str, request: Request, asked: Sequence[Asked]) -> None:
    """Ask one question after the other, and then have it done."""
    t = box.texts
    if not asked:
        if why := _open(box) or care.ask(request):
            box.push(TextReader(box, title, t("care.cannot", why=why)))
        else:
            box.home()
            box.push(TextReader(box, title, t("care.begun")))
        return
    (said, label), *rest = asked

    def yes() -> None:
        box.pop()
        _ask(box, care, title, request, rest)

    ask(box, Menu(box, title, said, [Item(t("undo.keep"), box.pop), Item(label, yes)]))
