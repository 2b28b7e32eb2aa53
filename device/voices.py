"""The languages in which the box speaks: its own, and what each phone chose."""

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
"""Holds the language that a page chose."""

log = logging.getLogger(__name__)


class Voice:
    """Everything that is said in one language."""

    def __init__(self, language: str = DEFAULT_LANGUAGE, *, strict: bool = False) -> None:
        """Load the texts; raises :class:`TextError` for a language that is not there or cannot be read."""
        self.language = language
        self.texts = Texts.load(language, strict=strict)
        """The texts that belong to no game."""
        self.games = {game: Texts.load(language, game, strict=strict) for game in games()}
        """The texts of each game, by its id."""

    def game(self, game: str) -> Texts:
        """Return a game's texts, the box's alone where no such game is here."""
        return self.games.get(game, self.texts)

    def words(self, replay: Replay) -> Words:
        """Return the words of a match."""
        header = replay.header
        return Words(self.game(header.game), replay.game, replay.names, header.setup.facts)


class Voices:
    """The box's own voice, which its state directory keeps, and those that pages ask for."""

    def __init__(self, state: Path, language: str = DEFAULT_LANGUAGE, *, strict: bool = False) -> None:
        """Speak the language that was kept, else ``language``, until people choose another."""
        self._file, self._strict = state / "language", strict
        self._known: dict[str, Voice] = {}
        self.box = self.of(self._kept() or language)
        """The voice that the box speaks with now."""

    @property
    def languages(self) -> dict[str, str]:
        """Return what each language calls itself, by its code."""
        return {code: Texts.load(code)("language.name") for code in Texts.languages()}

    @property
    def title(self) -> str:
        """Return what the setting is called in each language, for who cannot read this one."""
        return " / ".join(Texts.load(code)("language.title") for code in Texts.languages())

    def of(self, language: str) -> Voice:
        """Return the voice of a language; English where that is not there, or its catalogues are broken."""
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
        """Return the voice for a page with these cookies: what it chose, else the box's."""
        chosen = cookies.get(COOKIE, "")
        return self.of(chosen) if chosen in Texts.languages() else self.box

    def words(self, cookies: Mapping[str, str], replay: Replay) -> Words:
        """Return the words for a match on a page with these cookies."""
        return self.asked(cookies).words(replay)

    def speak(self, language: str) -> None:
        """Change the box's voice, and keep that; raises OSError where it cannot be kept, but it holds now."""
        self.box = self.of(language)
        replace_file(self._file, f"{language}\n".encode())

    def _kept(self) -> str:
        try:
            return self._file.read_text("ascii").strip()
        except (OSError, ValueError):
            return ""
