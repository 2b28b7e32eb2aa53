"""The languages that the box speaks: its own, and the choice of each phone."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

from device.files import replace_file
from device.match import Replay
from device.texts import Texts
from engines.plugged import games
from engines.texts import DEFAULT_LANGUAGE, TextError
from engines.words import Words

COOKIE = "language"
"""The cookie with a page's chosen language."""

log = logging.getLogger(__name__)


class Voice:
    """All texts in one language."""

    def __init__(self, language: str = DEFAULT_LANGUAGE, *, strict: bool = False) -> None:
        """Load the texts; raises :class:`TextError` for a language that is missing or cannot be read."""
        self.language = language
        self.texts = Texts.load(language, strict=strict)
        """The texts that belong to no game."""
        self.games = {game: Texts.load(language, game, strict=strict) for game in games()}
        """The texts of each game, by its id."""

    def game(self, game: str) -> Texts:
        """Return a game's texts, or the box's alone for an unknown game."""
        return self.games.get(game, self.texts)

    def words(self, replay: Replay) -> Words:
        """Return the words of a match."""
        header = replay.header
        return Words(self.game(header.game), replay.game, replay.names, header.setup.facts)


class Voices:
    """The box's own voice, kept in its state directory, and the voices of pages."""

    def __init__(self, state: Path, language: str = DEFAULT_LANGUAGE, *, strict: bool = False) -> None:
        """Speak the kept language, or else ``language``, until people choose another."""
        self._file, self._strict = state / "language", strict
        self._known: dict[str, Voice] = {}
        self.box = self.of(self._kept() or language)
        """The box's present voice."""

    @property
    def languages(self) -> dict[str, str]:
        """The name of each language in itself, by its code."""
        return {code: Texts.load(code)("language.name") for code in Texts.languages()}

    @property
    def title(self) -> str:
        """The title of the setting in every language, for people who cannot read this one."""
        return " / ".join(Texts.load(code)("language.title") for code in Texts.languages())

    def of(self, language: str) -> Voice:
        """Return the voice of a language, English if that is missing or its catalogues are broken."""
        voice = self._known.get(language)
        if voice is None:
            try:
                voice = Voice(language, strict=self._strict)
            except TextError as error:
                log.error("%s", error)
                voice = Voice(strict=self._strict)
            self._known[language] = voice
        return voice

    def asked(self, cookies: Mapping[str, str]) -> Voice:
        """Return the voice for a page with these cookies: its choice, or else the box's."""
        chosen = cookies.get(COOKIE, "")
        return self.of(chosen) if chosen in Texts.languages() else self.box

    def words(self, cookies: Mapping[str, str], replay: Replay) -> Words:
        """Return the words for a match on a page with these cookies."""
        return self.asked(cookies).words(replay)

    def speak(self, language: str) -> None:
        """Change the box's voice and keep it; raises OSError if it cannot be kept, but it holds now."""
        self.box = self.of(language)
        replace_file(self._file, f"{language}\n".encode())

    def _kept(self) -> str:
        try:
            return self._file.read_text("ascii").strip()
        except (OSError, ValueError):
            return ""
