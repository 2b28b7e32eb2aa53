"""The language of the box, chosen by what each calls itself."""

from __future__ import annotations

from functools import partial

from device.menus.ui import Host
from device.menus.views import Item, Menu


def language_menu(box: Host) -> Menu:
    """The languages there are; OK changes everything at once."""
    voices = box.voices
    items = [Item(name, partial(_speak, box, code)) for code, name in voices.languages.items()]
    menu = Menu(box, box.texts("language.title"), "", items)
    menu.index = list(voices.languages).index(voices.box.language)
    return menu


def _speak(box: Host, code: str) -> None:
    why = ""
    try:
        box.voices.speak(code)
    except OSError as error:
        why = str(error)
    box.spoken()
    if why:
        box.toast(box.texts("facts.not_saved", why=why), urgent=True)
