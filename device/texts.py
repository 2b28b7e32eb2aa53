"""Texts of the box beside the games'."""

from __future__ import annotations

import errno
import time
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import msgspec

from engines import texts


class Texts(texts.Texts):
    """The texts of the box and of games, by key. The box's own are ``device/texts/en.toml``, with a folder
    for each language beside it.
    """

    folders: ClassVar[tuple[Path, ...]] = (*texts.Texts.folders, Path(str(files("device") / "texts")))
    catalogues: ClassVar[Path | None] = Path(str(files("device") / "texts"))

    def moment(self, key: str, seconds: float) -> str:
        """Say a moment, in seconds since 1970, as ``time.<key>`` has it: ``Sun 22 Nov 21:14``."""
        return in_words(moment(key, seconds), self)


Filling: TypeAlias = "str | int | float | Said | tuple[str | Said, ...] | None"
"""A value that fills a blank: as it is, a text by key, or a row of these."""


def choose_language(wanted: str) -> str:
    """Return the language that a browser accepts first, by its header: ``ja,en-GB;q=0.8``; else English."""
    codes = (one.strip().partition(";")[0].partition("-")[0] for one in wanted.split(","))
    return next((code for code in codes if code in Texts.languages()), texts.DEFAULT_LANGUAGE)


class Said(msgspec.Struct, frozen=True):
    """A text by its key and the values of its blanks: a reason that can be told later in any language.

    As an exception's argument it is its English: ``Stale(said("stopped.stale"))``; :func:`reason` tells it.
    """

    key: str
    values: dict[str, Filling]

    def __str__(self) -> str:
        """Return it in English, for programs and logs."""
        return in_words(self, _load_english())


def said(key: str, /, **values: Any) -> Said:
    """Return the text at ``key`` with its values, to be told later."""
    return Said(key, values)


def moment(key: str, seconds: float) -> Said:
    """Return a moment for :meth:`Texts.moment` to say later."""
    at = time.localtime(seconds)
    return said(
        f"time.{key}",
        weekday=said(f"time.weekday.{at.tm_wday}"),
        day=at.tm_mday,
        month=said(f"time.month.{at.tm_mon}"),
        year=at.tm_year,
        time=time.strftime("%H:%M", at),
    )


Why: TypeAlias = str | Said
"""A cause: a text by key; a plug-in's words, which are the same in every language; "" for none."""


def key_of(why: Why) -> str:
    """Return the key of a text, or else the words."""
    return why.key if isinstance(why, Said) else why


def in_words(why: Why, t: texts.Texts) -> str:
    """Return a cause in the language of ``t``, with every text by key in its values."""
    if not isinstance(why, Said):
        return why
    return t(why.key, **{name: _fill(value, t) for name, value in why.values.items()})


def _fill(value: object, t: texts.Texts) -> object:
    if isinstance(value, tuple):
        return t.listed([in_words(one, t) for one in value])
    return in_words(value, t) if isinstance(value, Said) else value


def quoted(of: object, most: int | None = None) -> Said:
    """Quote at most ``most`` letters of what a library, a program or a file says.

    English shows them; another language says that they are in the log, where the caller must write them.
    """
    return said("system.words", words=" ".join(str(of).split())[:most])


def of_system(error: OSError) -> Said:
    """Return the system's reason about a file, without the file."""
    key = f"system.{errno.errorcode.get(error.errno or 0, '')}"
    return said(key) if key in _load_english() else quoted(error.strerror or error)


def of_device(error: Exception, group: str) -> Said:
    """Return why a device cannot be opened, which the members of ``group`` may."""
    if not isinstance(error, OSError):
        return cause_of(error)
    number = error.errno
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return said("status.absent")
    if number in (errno.EACCES, errno.EPERM):
        return said("status.denied", group=group)
    return said("status.busy") if number in (errno.EBUSY, errno.EAGAIN) else of_system(error)


def cause_of(error: BaseException) -> Said:
    """Return an exception's cause, to be told in any language."""
    if error.args and isinstance(why := error.args[0], Said):
        return why
    if not isinstance(error, OSError) or not error.errno:
        return quoted(str(error) or type(error).__name__)
    why = of_system(error)
    return said("system.at", file=str(error.filename), why=why) if error.filename else why


def reason(error: Exception, t: texts.Texts) -> str:
    """Return an exception's cause in the language of ``t``."""
    return in_words(cause_of(error), t)


@cache
def _load_english() -> Texts:
    return Texts.load()
