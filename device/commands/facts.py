"""`podesta facts GAME ACTION`: check, edit, export, import and compare the facts of the owner's copy."""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from device.commands import Command, CommandError, Exit, Option, Options, UsageError, check_free, show, take
from device.commands.box import find_sound_state
from device.copy_file import CopyFile, FactsError, LoadedFacts, parse, template
from device.files import read_file, replace_file
from device.sensors import readers
from device.strict_toml import spelled
from device.texts import Texts
from engines.facts import OPEN, Copy, Fact, Facts, Use, differences, sample
from engines.texts import DEFAULT_LANGUAGE

DRAFT = ".draft.toml"
"""The ending of the file that an editor works on; a faulty draft is kept for the next edit."""

MARK = "# draft of "
"""The beginning of a draft; the digest of its original follows."""

BEFORE = ".before.toml"
"""The ending of the file with the facts that an import replaced."""


TEACHING = "teaching"
"""The key in an export of the teachings of cameras, a line for each."""

TAUGHT = re.compile(r"[a-z0-9-]+_\d+x\d+_[a-z0-9.]+\.json")
"""The name of a teaching's file."""


Act: TypeAlias = Callable[[CopyFile, Options], int | None]


def _action(what: str, *takes: Option) -> Callable[[Act], Command]:
    """Make a function an action on a copy's file; it raises :class:`CommandError` with every fault, OSError
    for a full disk.
    """

    def make(act: Act) -> Command:
        def run(options: Options) -> int | None:
            language = DEFAULT_LANGUAGE if getattr(options, "json", False) else options.language
            file = CopyFile.of(find_sound_state(options), options.game, Texts.load(language, options.game))
            if not len(file.schema) and options.action != "check":
                raise CommandError(f"{options.game} has no table facts: every copy is alike")
            return act(file, options)

        return Command((take.box, take.language, *takes), run, what)

    return make


class Member(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A camera's teaching in an export: the text of its file, and the SHA-256 of the text."""

    digest: str
    text: str


class FactState(msgspec.Struct, frozen=True):
    """A fact's state: ``confirmed``, ``sure``, ``likely`` (to be confirmed) or ``unknown``; its ``value`` as
    in the file, null if unknown; ``for_sight`` is true if only a camera needs it.
    """

    name: str
    standing: str
    value: str | None
    clause: str
    for_sight: bool


class CopyCheck(msgspec.Struct, frozen=True):
    """The output of `podesta facts GAME check --json`; ``wrong`` has each mistake with file and line."""

    game: str
    copy: str
    sample: bool
    facts: tuple[FactState, ...]
    wrong: tuple[str, ...]


def _read_valid(file: CopyFile, path: Path | None = None) -> LoadedFacts:
    """Read the file in use or another; raises :class:`FactsError` with all its mistakes."""
    taught = rb"(?m)^" + TEACHING.encode() + rb"\..*$"  # their lines stay, empty, so that numbers fit
    data = b"" if path is None else re.sub(taught, b"", read_file(path))
    loaded = file.load() if path is None else parse(data, path, file.words)
    if loaded.problems:
        raise FactsError(*map(str, loaded.problems))
    return loaded


# Check


@_action("what is wrong, unknown or not confirmed yet; fails if anything is", take.json(CopyCheck, FactState))
def _check(file: CopyFile, options: Options) -> int:
    loaded = file.load()
    facts, words, wrong = loaded.facts, file.words, tuple(map(str, loaded.problems))
    known = [(fact, facts.known[fact.name]) for fact in facts.schema]
    still_open = [(fact, one) for fact, one in known if one.standing in OPEN]
    entries = (
        FactState(
            fact.name,
            one.standing.value,
            None if one.value is None else words.value(fact.kind, one.value),
            fact.clause,
            fact.use is Use.SIGHT,
        )
        for fact, one in known
    )

    def write_lines() -> Iterator[str]:
        if not known:
            yield words.texts("facts.none")
            return
        named = facts.copy or words.texts("shell.unnamed")
        yield f"{file.path}: {words.texts('shell.no_file') if loaded.text is None else named}"
        if facts.sample:
            yield f"{words.texts('facts.sample')}: {words.texts('facts.sample_about')}"
        for fact, one in still_open:
            yield f"{fact.name}: {words.texts.by_semicolons([words.known(fact, one), words.remark(fact)])}"
        yield words.texts("shell.settled_facts", count=len(known) - len(still_open), all=len(known))

    found = CopyCheck(file.schema.game, facts.copy, facts.sample, tuple(entries), wrong)
    show(options, found, write_lines, wrong)
    return Exit.WRONG if still_open else Exit.FINE


# Edit


def _add_value_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that replace a fact's value."""
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--as-printed", action="store_true", help="the copy has it as podesta supposes")
    how.add_argument("--unknown", action="store_true", help="nobody knows it any more")


@_action(
    "set facts, all or none, or open the file in $VISUAL or $EDITOR and check it",
    take.option("[NAME]", "the fact, or copy for the copy's name; or several NAME=VALUE"),
    take.option("[VALUE…]", "such as 22.5, or d1 c3 f3 for a list"),
    _add_value_options,
)
def _edit(file: CopyFile, options: Options) -> None:
    name, text = options.name, " ".join(options.value)
    if name and "=" in name and not (options.as_printed or options.unknown):
        _edit_all(file, [name, *options.value])
        return
    ways = bool(text) + options.as_printed + options.unknown
    if name is None and not ways:
        _open_editor(file)
        return
    if name is None or ways != 1:
        raise UsageError("edit NAME VALUE, edit NAME --as-printed or edit NAME --unknown")
    if name == "copy":
        try:
            facts = file.put({}, copy=msgspec.convert({"copy": text}, Copy).copy)
        except msgspec.ValidationError:
            raise UsageError("copy: a name of 1 to 32 letters") from None
        print(f"{file.path}: copy = {facts.copy}")
        return
    fact = _find_fact(file, name)
    value = None if options.unknown else fact.default.value
    if options.as_printed and value is None:
        raise UsageError(f"{name}: only the copy tells; enter what it shows")
    _keep(file, {name: file.value(fact, text) if text else value})


def _edit_all(file: CopyFile, told: list[str]) -> None:
    """Change several facts given as ``NAME=VALUE``, all of them or none."""
    changes: dict[str, Any] = {}
    for one in told:
        name, sign, text = one.partition("=")
        if not (sign and text.strip()):
            raise UsageError(f"{one}: must be NAME=VALUE, like the others")
        fact = _find_fact(file, name)
        if name in changes:
            raise UsageError(f"{name}: is told twice")
        changes[name] = file.value(fact, text)
    return _keep(file, changes)


def _find_fact(file: CopyFile, name: str) -> Fact:
    if name not in file.schema.facts:
        near = file.schema.nearest(name)
        raise CommandError(f"{file.schema.game} has no fact {name}; did you mean {near}?")
    return file.schema.facts[name]


def _keep(file: CopyFile, changes: dict[str, Any]) -> None:
    facts = file.put(changes)
    for name in changes:
        known = file.words.known(file.schema.fact(name), facts.known[name])
        print(f"{file.path}: {name} = {known}")


def _open_editor(file: CopyFile) -> None:
    """Let people edit a draft; it replaces the file if it has no mistake and the file did not change."""
    draft = file.path.with_name(file.path.stem + DRAFT)
    loaded = file.load()
    if loaded.text == "" and not loaded.sound:
        raise FactsError(*map(str, loaded.problems))
    old = template(loaded.facts, file.words) if loaded.text is None else loaded.text
    mark = f"{MARK}{hashlib.sha256((loaded.text or '').encode()).hexdigest()}\n"
    draft.parent.mkdir(parents=True, exist_ok=True)
    if not draft.exists():
        replace_file(draft, (mark + old).encode())
    elif read_file(draft).startswith(mark.encode()):
        print(f"{draft}: going on with what was left there", file=sys.stderr)
    else:
        raise CommandError(f"{draft}: was left before {file.path} changed; look at both, then remove it")
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "nano"
    try:
        status = subprocess.run([*shlex.split(editor), str(draft)], check=False).returncode
    except FileNotFoundError:
        raise CommandError(f"no editor {editor!r}: set EDITOR", code=Exit.LACKING) from None
    if status:
        raise CommandError(f"{editor} ended with {status}; nothing was changed, {draft} is kept")
    after = CopyFile(draft, file.words).load()
    if after.problems:
        kept = f"{file.path} is as it was; edit again to go on with {draft}"
        raise CommandError(*map(str, after.problems), kept)
    if file.load().text != loaded.text:
        raise CommandError(f"{file.path}: was changed meanwhile; your text is kept in {draft}")
    text = old if after.text is None else after.text.removeprefix(mark)
    if text != old:
        file.write(text)
    draft.unlink(missing_ok=True)
    print(f"{file.path}: {'changed' if text != old else 'nothing was changed'}")


# Give away, take over, compare


_OUT = take.option("--out PATH", "the file to write (default: standard output)")
_KEPT = take.force(f"what is here; it is kept beside it as GAME{BEFORE}")


@_action("print a file with every fact, its unit, range and source, to fill in", _OUT, take.force())
def _template(file: CopyFile, options: Options) -> None:
    _write(template(file.sound().facts, file.words), options)


@_action(
    "the copy's facts, and what cameras were taught of it, as one file for another box", _OUT, take.force()
)
def _export(file: CopyFile, options: Options) -> None:
    text = template(_read_valid(file).facts, file.words, export=True)
    if members := list(_write_teachings(file)):
        text = re.sub("(?m)^(digest = .*\n)", lambda found: found[0] + "".join(members), text, count=1)
    _write(text, options)


def _write(text: str, options: Options) -> None:
    out: Path | None = options.out
    if out is None:
        print(text, end="")
    else:
        check_free(out, force=options.force)
        replace_file(out, text.encode())


@_action(
    "take over what export wrote; refuses what differs from what is known here",
    take.option("FILE", "a file that export wrote"),
    _KEPT,
)
def _import(file: CopyFile, options: Options) -> None:
    given = _read_valid(file, options.file)
    if not given.digest:
        raise CommandError(f"{options.file}: has no digest: is it what podesta facts export wrote?")
    taught = _read_teachings(file, options.file)
    return _take_over(file, given.facts, force=options.force, taught=taught)


def _find_teachings(file: CopyFile) -> Path | None:
    """Return the folder of a copy's teachings, None if cameras learn nothing of its game."""
    one = readers.ENROLMENTS.get(file.schema.game)
    return file.path.parents[1] / one.folder if one else None


def _write_teachings(file: CopyFile) -> Iterator[str]:
    """Yield a line of an export for each camera's teaching of the copy; raises LearntError."""
    folder = _find_teachings(file)
    for taught in sorted(folder.glob("*.json")) if folder else ():
        _check_whole(file.schema.game, taught)
        text = read_file(taught).decode()
        made = Member(hashlib.sha256(text.encode()).hexdigest(), text)
        yield f"{TEACHING}.{spelled(taught.name)} = {spelled(msgspec.to_builtins(made))}\n"


def _check_whole(game: str, file: Path) -> None:
    """Raise LearntError if a file holds no teaching."""
    from device.sensors.readers import shelf  # noqa: PLC0415 – OpenCV: only needed for teachings

    shelf.check_teaching(game, file)


def _read_teachings(file: CopyFile, path: Path) -> dict[Path, str]:
    """Return the teachings in an export, by their files here; raises :class:`FactsError`."""
    folder, found = _find_teachings(file), {}
    for number, line in enumerate(read_file(path).decode("utf-8-sig").split("\n"), 1):
        if not line.startswith(f"{TEACHING}."):
            continue
        where = f"{path}:{number}: {TEACHING}"
        try:
            ((name, value),) = tomllib.loads(line)[TEACHING].items()
            where = f"{where} {name}"
            member = msgspec.convert(value, Member)
        except (ValueError, AttributeError) as error:
            raise FactsError(f"{where}: {error}") from error
        if not folder:
            raise FactsError(f"{where}: no camera can be taught {file.schema.game}")
        if not TAUGHT.fullmatch(name):
            raise FactsError(f"{where}: is the name of no such file")
        if hashlib.sha256(member.text.encode()).hexdigest() != member.digest:
            raise FactsError(f"{where}: was changed after the export")
        with tempfile.TemporaryDirectory() as place:
            (Path(place) / name).write_text(member.text, "utf-8")
            _check_whole(file.schema.game, Path(place) / name)
        found[folder / name] = member.text
    return found


@_action("a made-up copy, to try the game with; every match played with it is marked SAMPLE", _KEPT)
def _sample(file: CopyFile, options: Options) -> None:
    return _take_over(
        file, replace(sample(file.schema), copy=file.words.texts("facts.sample")), force=options.force
    )


def _take_over(file: CopyFile, new: Facts, *, force: bool, taught: Mapping[Path, str] | None = None) -> None:
    """Take over the facts ``new`` and the teachings ``taught``.

    Raises :class:`CommandError` if something known here would be lost, unless ``force`` allows it.
    """
    here, taught = file.load(), taught or {}
    lost = [*_list_losses(here.facts, new, file), *map(str, here.problems)]
    other = [one for one, text in taught.items() if one.exists() and read_file(one) != text.encode()]
    lost += [f"{one}: was taught here otherwise" for one in other]
    if lost and not force:
        raise CommandError(*lost, f"{file.path}: that would be lost; --force replaces it")
    if here.text is None or lost or here.facts.sample != new.sample:
        if here.text is not None:
            replace_file(file.path.with_name(file.path.stem + BEFORE), read_file(file.path))
        file.write(template(new, file.words))
    else:
        file.put(new.confirmed, copy=new.copy)
    t, count = file.words.texts, len(new.confirmed)
    name = new.copy or t("shell.unnamed")
    print(f"{file.path}: {t('shell.taken_over', count=count, all=len(new.known), name=name)}")
    for one in other:
        one.replace(one.with_suffix(".json.before"))
    for one, text in taught.items():
        one.parent.mkdir(parents=True, exist_ok=True)
        replace_file(one, text.encode())
        print(f"{one}: {t('shell.taught')}")


def _list_losses(here: Facts, new: Facts, file: CopyFile) -> Iterator[str]:
    """Yield the facts known here that are different or missing in the new ones."""
    known = here.confirmed
    if here.copy and here.copy != new.copy:
        yield f"copy: {here.copy}, there {new.copy or 'without a name'}"
    if known and here.sample != new.sample:
        yield f"sample: {'yes' if here.sample else 'no'}, there {'yes' if new.sample else 'no'}"
    for found in differences(here, new):
        if found[0].name in known:
            yield f"{found[0].name}: {file.words.difference(found, 'here', 'there')}"


@_action(
    "where two copies differ; fails if they do",
    take.option("A", "a file of facts", type=Path),
    take.option("[B]", "another (default: the one in use)", type=Path),
)
def _compare(file: CopyFile, options: Options) -> int:
    mine, yours = _read_valid(file, options.a).facts, _read_valid(file, options.b).facts
    names = str(options.a), str(options.b or file.path)
    rows = [f"{found[0].name}: {file.words.difference(found, *names)}" for found in differences(mine, yours)]
    if replace(mine, known={}) != replace(yours, known={}):
        rows.insert(0, f"copy: {names[0]} {mine.copy or '-'}; {names[1]} {yours.copy or '-'}")
    print("\n".join(rows) or file.words.texts("shell.alike"))
    return Exit.WRONG if rows else Exit.FINE


run = Command(
    (take.game,),
    actions={
        "check": _check,
        "edit": _edit,
        "template": _template,
        "export": _export,
        "import": _import,
        "sample": _sample,
        "compare": _compare,
    },
)
