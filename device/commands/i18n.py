"""`podesta i18n`: updates and checks the catalogues of another language.

A language is a folder ``device/texts/<code>`` with a gettext catalogue for each file of English texts:
translators edit ``.po``, the box reads ``.mo``. A text's key is its context.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence, Set
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import engines
from device.commands import CommandError, Options, UsageError, command, take
from device.menus import say_header
from device.screen.pixels import SMALL, load_font, measure_title_room, wrap
from device.texts import Texts
from engines.rules import load
from engines.texts import PluralText, TextError, blanks, read

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog, Message

_KEPT = re.compile(
    r"OK|VP|AP|ID|Raspberry|lgpio|gpio|PIN|USB|FAT|CSV|QR|LED|OLED|GPIO|PNG|SAMPLE|SIMULATED|Podestà|README|Pi|mm|px|mg|utc"
    r"|podesta|camera|calibrate|enrol|tray|judge|set|sudo|date|dmesg|dpkg"
    r"|SHA|apt|pip|install|run|safe|simulate|var|cache|back|deb|tar|gz|backup|keshis|scale_faults|hand|https?|picamera"
    r"|Enter|Backspace|true|false|before|to|tss|gone|left"
)
"""Words that are not translated: keys, names, ids, commands."""

_EXAMPLE = re.compile(r"[!-~]*[!-~][:=;]-?[!-~]+")
"""Text in a position's form: ``areas:3:d3``."""

_WORD = re.compile(r"[A-Za-zà-ÿ_]{2,}+(?!-[0-9])")


_RAISING: dict[str, Any] = dict.fromkeys(
    ("Malformed", "Stale", "BadPosition", "BadFact", "BadSetup", "BadMatchFile", "UnknownGame", "__init__")
)
_RAISING |= {"text": (2,), "row": (3,), "matching": (3,)}
"""The functions with error messages among their arguments, and the place of these."""

FOREIGN = "system.words"
"""The text around words of the system, which are English; another language may replace them."""


class TextPlace(NamedTuple):
    """A place on the display for the texts of ``keys``: it has so many ``lines``, each ``px`` wide in the
    small font, and cuts longer texts.
    """

    name: str
    keys: re.Pattern[str]
    lines: int
    px: int


PLACES = (
    TextPlace("warning", re.compile(r"warning\.(?!stuck)\w+"), 1, 48),
    TextPlace(
        "title",  # narrower where a language's stamps leave less
        re.compile(
            r"(?!web\.|give\.)[\w.]+\.title|play\.(menu|over|told|unlisted|on_table|sure)|why\.head|home\.(past|new|setup)|give\.head"
            r"|correct\.(which|draft)|standstill\.(call|paused|called)|refusal\.(legal|rule)|setup\.problems|pair\.phones|lost\.unsure_title"
            r"|care\.(reset|before|really|restore)|stick\.become|teach\.(ok|again|taking)|grid\.legend"
        ),
        1,
        108,
    ),
    TextPlace("score row", re.compile(r"(category|group)\.\w+"), 1, 124),
    TextPlace("question", re.compile(r"question\.\w+|home\.prompt|new\.who|[\w.]+\.which"), 2, 120),
    TextPlace(
        "item",
        re.compile(
            r"verb\.\w+|reason(?!\.declined)(\.\w+)+|(confirm|consent|ending|round)\.(yes|no|read|later|leave)|home\.home|new\.level\.\w+"
            r"|past\.continue|play\.(sure_\w+|rematch|abandon|about|scores|steps|categories|not_listed)"
            r"|correct\.(this|other|never|missing|leave|give_up|more|go_on)|undo\.(keep|last|again)|facts\.(about|add|change|done|enter|forget|remove"
            r"|later|just_so|as_printed|printed|not_looked)|refusal\.(overrule|leave|possible)|lost\.(retry|drop|what)|grid\.neither"
            r"|reading\.(no|correct)|standstill\.(pause|open|settled)|setup\.(status|address)|rules\.find|stick\.(matches|whole|backup)"
            r"|rollback\.this|give\.title|home\.power_off|counts\.(done|lift)|pin\.done|care\.(reset_stay|reset_all)|pair\.end|new\.(start|name|no_judge|judge)"
        ),
        2,
        116,
    ),
)
"""The first that fits a key counts. A text without a place pages, and is never cut."""


@command(
    take.option(
        "WHAT",
        "check: what is missing, outdated or does not fit; update: take over the English texts",
        choices=("check", "update"),
        metavar=None,
    ),
    take.option("[LANGUAGE]", "a code, such as ja (default: all)"),
)
def run(options: Options) -> None:
    """Check or update; raises :class:`CommandError` with every fault."""
    known = Texts.languages()[1:]
    if options.what == "update":
        for language in (options.language,) if options.language else known:
            update(language)
        return
    if options.language and options.language not in known:
        raise UsageError(f"no language {options.language!r}, only {', '.join(known)}")
    wrong: list[str] = []
    for language in (options.language,) if options.language else known:
        wrong += check(language)
        print("\n".join(tabulate(language)))
    if wrong:
        raise CommandError(*wrong)


def read_english() -> dict[str, dict[str, str | PluralText]]:
    """Return every English text, clauses included, by the domain of its catalogue and by its key."""
    files = {folder.parent.name: folder / "en.toml" for folder in Texts.folders}
    files |= {game: engines.folder(game) / "texts.en.toml" for game in engines.GAMES}
    return {name: {**read(file), **_read_rules(name), **_read_errors(name)} for name, file in files.items()}


@cache
def _read_errors(domain: str) -> dict[str, str]:
    """Return the error messages of an engine, by the keys of `engines.fact_words`."""
    from babel.messages.extract import extract_from_file  # noqa: PLC0415 – only builders have it

    if domain not in (*engines.GAMES, engines.__name__):
        return {}
    folder = engines.folder(domain) if domain in engines.GAMES else Path(engines.__path__[0])
    files = sorted((*folder.glob("*.py"), *folder.glob("kit/*.py")))
    found = (said for file in files for _, said, *_ in extract_from_file("python", file, _RAISING))
    return {f"error.{said}": said for said in found if isinstance(said, str) and " " in said}


def _read_rules(game: str) -> dict[str, str | PluralText]:
    if game not in engines.GAMES:
        return {}
    rules = load(game)
    sections = {f"section.{title}": title for title in rules.sections}
    return {"rules.source": rules.source, **sections, **{f"clause.{one.id}": one.text for one in rules}}


def _find_file(language: str, domain: str) -> Path:
    assert Texts.catalogues
    return Texts.catalogues / language / f"{domain}.po"


def _read(language: str, domain: str) -> Catalog:
    from babel.messages.pofile import PoFileError, read_po  # noqa: PLC0415 – only builders have it

    file = _find_file(language, domain)
    try:
        with file.open("rb") as opened:
            return read_po(opened, locale=language, domain=domain, abort_invalid=True)
    except FileNotFoundError:
        return read_po(io.BytesIO(), locale=language, domain=domain)
    except PoFileError as error:
        raise CommandError(f"{file}:{error.lineno + 1}: {error}") from error


def update(language: str) -> None:
    """Update the catalogues of a language: new texts are empty, changed ones marked fuzzy."""
    from babel.messages.catalog import Catalog  # noqa: PLC0415 – only builders have it
    from babel.messages.pofile import write_po  # noqa: PLC0415 – as above

    for domain, texts in read_english().items():
        before = _read(language, domain)
        known = {message.context: message for message in before}
        made = Catalog(
            locale=language,
            header_comment=f"# The texts of {domain}; podesta i18n update brings them up to date.",
            project="Podestà",
            version=version("podesta"),
            creation_date=before.creation_date,
            fuzzy=False,
        )
        for key, text in texts.items():
            plural, old = isinstance(text, PluralText), known.get(key)
            forms = _list_forms(old) if old else ("",)
            filled = (*forms, *forms[-1:] * made.num_plurals)[: made.num_plurals]
            counted = [f"counts {{{text.by}}}"] if isinstance(text, PluralText) else []
            outdated = old is not None and old.string and (old.fuzzy or old.id != _make_id(text))
            made.add(
                _make_id(text),
                filled if plural else forms[-1],
                context=key,
                auto_comments=counted,
                flags=["fuzzy"] if outdated else [],
            )
        file = _find_file(language, domain)
        file.parent.mkdir(exist_ok=True)
        with file.open("wb") as opened:
            write_po(opened, made, width=0, include_lineno=False)
        file.with_suffix(".mo").write_bytes(_compile(made))


def _compile(catalogue: Catalog) -> bytes:
    from babel.messages.mofile import write_mo  # noqa: PLC0415 – only builders have it

    written = io.BytesIO()
    for message in catalogue:
        if not any(_list_forms(message)):
            message.string = ""  # or empty plural forms are written
    write_mo(written, catalogue)
    return written.getvalue()


def check(language: str) -> list[str]:
    """Return every fault of a language, each with its file, line and key."""
    return [
        problem for domain, texts in read_english().items() for problem in _check(language, domain, texts)
    ]


def _check(language: str, domain: str, texts: dict[str, str | PluralText]) -> Iterator[str]:
    from babel.core import get_global  # noqa: PLC0415 – only builders have it

    catalogue, file = _read(language, domain), _find_file(language, domain)
    latin = "_Latn_" in get_global("likely_subtags").get(language, "")
    messages = {str(message.context): message for message in catalogue if message.id}
    room = _list_places(language)
    for key in texts.keys() - messages.keys():
        yield f"{file}: {key}: is missing; podesta i18n update adds it"
    for key, message in messages.items():
        where = f"{file}:{message.lineno}: {key}"
        if key not in texts:
            yield f"{where}: is not used any more; podesta i18n update drops it"
            continue
        text = texts[key]
        if message.id != _make_id(text) or message.fuzzy:
            yield f"{where}: the English text has changed: translate it again, and drop the mark fuzzy"
        said = _list_forms(message)
        if not all(said):
            yield f"{where}: is not translated"
            continue
        for form in said:
            fewer = () if isinstance(text, str) or form is said[-1] else (text.one,)
            of = text if isinstance(text, str) else text.other
            for problem in _find_faults(key, (of, *fewer), form, room, latin=latin):
                yield f"{where}: {problem}"
    compiled = file.with_suffix(".mo")
    if not compiled.is_file() or compiled.read_bytes() != _compile(catalogue):
        yield f"{compiled}: is not what {file.name} says; podesta i18n update compiles it"


def _make_id(text: str | PluralText) -> str | tuple[str, str]:
    return text if isinstance(text, str) else (text.one, text.other)


def _list_forms(message: Message) -> tuple[str, ...]:
    said = message.string or ""
    return (said,) if isinstance(said, str) else tuple(said)


def _find_faults(
    key: str, english: tuple[str, ...], said: str, places: Sequence[TextPlace], *, latin: bool
) -> Iterator[str]:
    """Yield the faults of a translation; the first of the ``english`` forms has all blanks.

    If the language is written in Latin letters, only a text equal to the English one counts as English.
    """
    plain = key.startswith(("clause.", "section.", "rules.source"))  # they have no blanks
    try:
        wanted, least, found = (
            set() if plain else blanks(key, one) for one in (english[0], english[-1], said)
        )
    except TextError as error:
        yield str(error)
        return
    if not (least <= found or key == FOREIGN) or not found <= wanted:
        yield f"fills {_list_blanks(found)}, in English {_list_blanks(wanted)}"
    bare = said if plain else _drop_blanks(said)
    left = [
        word
        for word in _WORD.findall(_EXAMPLE.sub("", bare))
        if word not in engines.GAMES and not _KEPT.fullmatch(word)
    ]
    if latin and (len(left) < 2 or said not in english):
        left = []
    if left and not key.startswith("new.letters"):
        yield f"English is left: {' '.join(left)}"
    face = load_font(SMALL)
    if lacking := sorted({sign for sign in bare if sign not in face and not sign.isspace()}):
        yield f"the display's font lacks {' '.join(lacking)}"
    if (place := _find_place(key, places)) and _is_cut(place, said):
        room = f"{place.lines} × {place.px}"
        yield f"takes {face.measure(bare)} px beside what fills it, and has {room} as a {place.name}"


def _list_blanks(names: Set[str]) -> str:
    return " ".join(f"{{{name}}}" for name in sorted(names)) or "nothing"


def _drop_blanks(said: str) -> str:
    return re.sub(r"\{[^}]*\}", "", said)


def tabulate(language: str) -> Iterator[str]:
    """Tell the progress of a language: for each file the number of texts, of translated and of cut ones, and
    the longest in px; then for each place the number of texts and the longest, without what fills blanks.
    """
    room, small = _list_places(language), load_font(SMALL)
    there: dict[TextPlace | None, list[str]] = {}
    yield f"{language:20}  texts  translated  longest  truncated"
    for domain, texts in read_english().items():
        messages = [message for message in _read(language, domain) if message.id]
        said = [(str(message.context), form) for message in messages for form in _list_forms(message)]
        for key, form in said:
            there.setdefault(_find_place(key, room), []).append(form)
        translated = sum(all(_list_forms(message)) for message in messages)
        longest = max((small.measure(form) for key, form in said if key[:7] != "clause."), default=0)
        placed = ((_find_place(key, room), form) for key, form in said)
        cut = sum(place is not None and _is_cut(place, form) for place, form in placed)
        yield f"{domain:20}  {len(texts):5}  {translated:10}  {longest:4} px  {cut:9}"
    yield "place                 texts  longest  room"
    for place in room:
        forms = there.get(place, [])
        longest = max((small.measure(_drop_blanks(form)) for form in forms), default=0)
        yield f"{place.name:20}  {len(forms):5}  {longest:4} px  {place.lines} × {place.px} px"


def _find_place(key: str, places: Sequence[TextPlace]) -> TextPlace | None:
    return next((place for place in places if place.keys.fullmatch(key)), None)


def _list_places(language: str) -> tuple[TextPlace, ...]:
    """Return the places; the title has the room that the stamps of a simulated box and a sample leave."""
    beside = measure_title_room(say_header(Texts.load(language)))
    return tuple(one._replace(px=min(one.px, beside)) if one.name == "title" else one for one in PLACES)


def _is_cut(place: TextPlace, said: str) -> bool:
    """Return True if a place cuts a text, even with empty blanks."""
    return len(wrap(_drop_blanks(said), load_font(SMALL), place.px)) > place.lines
