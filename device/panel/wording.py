"""The page's own texts, in the language that a page chose.

::

    GET  /texts      that language, what each language calls itself, and the texts under ``web`` by key

A text has its blanks open: the page fills them. One that counts is told with the value that it counts,
``by``, and its ``forms`` by the names that ``Intl.PluralRules`` has for them.
"""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.routing import BaseRoute, Route

from device.panel.acting import answered
from device.texts import Texts
from device.voices import Voices
from engines.texts import PluralText

SECTION = "web"
"""The section of the page's own texts."""

SAMPLES = {"zero": 0, "one": 1, "two": 2, "few": 3, "many": 11, "other": 100}
"""A number of each plural category, whatever the language (CLDR)."""


class Counted(msgspec.Struct, frozen=True):
    """A text that counts the value ``by``: its form for each plural category, ``other`` for all not named."""

    by: str
    forms: dict[str, str]


class Wordings(msgspec.Struct, frozen=True):
    """A language by its code, what each is called in itself, and the page's texts without their section."""

    language: str
    languages: dict[str, str]
    texts: dict[str, str | Counted]


class Wording:
    """The texts of the page, in the language that each reader chose."""

    def __init__(self, voices: Voices) -> None:
        """Serve the page's texts; each answer is in the language that its page chose of ``voices``."""
        self._voices = voices

    def routes(self) -> list[BaseRoute]:
        """Return the route, for :func:`device.panel.make_app`."""
        return [Route("/texts", answered(self._texts))]

    async def _texts(self, request: Request) -> object:
        voice = self._voices.asked(request.cookies)
        return Wordings(voice.language, self._voices.languages, wordings(voice.texts))


def wordings(texts: Texts) -> dict[str, str | Counted]:
    """Return the page's texts by their keys, without the section."""
    return {key.removeprefix(f"{SECTION}."): _open(texts.template(key)) for key in texts.under(SECTION)}


def _open(text: str | PluralText) -> str | Counted:
    if isinstance(text, str):
        return text
    said = {name: text.form({text.by: number}) for name, number in SAMPLES.items()}
    other = said["other"]
    return Counted(text.by, {**{name: form for name, form in said.items() if form != other}, "other": other})
