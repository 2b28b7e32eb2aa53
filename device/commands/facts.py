"""`podesta facts GAME ACTION`: what is printed on the owner's copy: check, edit, give away, compare."""

from __future__ import annotations

import argparse
import hashlib
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

from device import config as configs
from device.commands import CommandError, Exit
from device.commands.config import checked
from device.commands.values import add_config, add_game, add_json, add_state
from device.facts.file import COPY_NAME, CopyFile, FactsError, Loaded, parse, read
from device.facts.text import exported, template
from device.facts.words import FactWords
from device.files import read_file, replace_file
from device.texts import Texts
from engines.fact_kinds import Unfit, take
from engines.facts import BadFact, Facts, Standing, Use, differences

DRAFT = ".draft.toml"
"""How the file ends that an editor works on; one that was not right is kept for the next edit."""

MARK = "# draft of "
"""How a draft begins; then comes the digest of the file it was made from."""

OPEN = (Standing.UNKNOWN, Standing.LIKELY)
"""What people have yet to look at."""

BEFORE = ".before.toml"
"""How the file ends that keeps what an import replaced."""


class Entry(msgspec.Struct, frozen=True):
    """How one fact stands: ``confirmed``, ``sure``, ``likely`` (to be confirmed) or ``unknown``; ``value`` as
    the file would hold it, null while it is unknown; ``for_sight`` where only a camera needs it.
    """

    name: str
    standing: str
    value: str | None
    clause: str
    for_sight: bool


class Found(msgspec.Struct, frozen=True):
    """What `podesta facts GAME check --json` prints; ``wrong`` is each mistake with its file and line."""

    game: str
    copy: str
    sample: bool
    facts: tuple[Entry, ...]
    wrong: tuple[str, ...]


def arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    add_game(parser)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def action(name: str, what: str) -> argparse.ArgumentParser:
        made = actions.add_parser(name, help=what, description=what)
        add_config(made)
        add_state(made)
        return made

    check = action("check", "what is wrong, unknown or not confirmed yet; fails if anything is")
    add_json(check, Found, Entry)
    edit = action("edit", "set one fact, or open the file in $VISUAL or $EDITOR and check it")
    edit.add_argument("name", metavar="NAME", nargs="?", help="the fact, or copy for the copy's name")
    edit.add_argument("value", metavar="VALUE", nargs="*", help="such as 22.5, or d1 c3 f3 for a list")
    how = edit.add_mutually_exclusive_group()
    how.add_argument("--as-printed", action="store_true", help="the copy has it as podesta supposes")
    how.add_argument("--unknown", action="store_true", help="nobody knows it any more")
    blank = action("template", "print a file with every fact, its unit, range and source, to fill in")
    export = action("export", "the copy's facts as one file for another box")
    for made in (blank, export):
        made.add_argument(
            "--out", metavar="PATH", type=Path, help="the file to write (default: standard output)"
        )
        made.add_argument("--force", action="store_true", help="replace PATH if it exists")
    import_ = action("import", "take over what export wrote; refuses what differs from what is known here")
    import_.add_argument("file", metavar="FILE", type=Path, help="a file that export wrote")
    import_.add_argument(
        "--force", action="store_true", help=f"replace what is here; it is kept beside it as GAME{BEFORE}"
    )
    compare = action("compare", "where two copies differ; fails if they do")
    compare.add_argument("one", metavar="A", type=Path, help="a file of facts")
    compare.add_argument("other", metavar="B", type=Path, nargs="?", help="another (default: the one in use)")


def run(options: argparse.Namespace) -> int:
    """Do it; raises :class:`CommandError` with all that is wrong, OSError where a disk does not take it."""
    state: Path = options.state or configs.state_dir(checked(configs.find(options.config)))
    file = CopyFile.of(state, options.game, Texts.load("en", options.game))
    if not len(file.schema) and options.action != "check":
        raise CommandError(f"{options.game} has no table facts: every copy is alike")
    try:
        if options.action == "check":
            return _check(file, as_json=options.json)
        if options.action == "edit":
            return _edit(file, options)
        if options.action == "template":
            return _write(options, template(_sound(file).facts, file.words))
        if options.action == "export":
            return _write(options, exported(_right(file).facts, file.words))
        if options.action == "import":
            return _import(file, options.file, force=options.force)
        return _compare(file, options.one, options.other)
    except FactsError as error:
        raise CommandError(*error.reasons) from error
    except BadFact as error:
        raise CommandError(*(f"{why}; nothing was changed" for why in file.words.refused(error))) from error


# Check


def _check(file: CopyFile, *, as_json: bool) -> int:
    loaded = file.load()
    found = check(loaded, file)
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    else:
        print("\n".join(report(loaded, file)))
    if found.wrong:
        raise CommandError(*found.wrong)
    return (
        Exit.WRONG if any(one.standing in (Standing.UNKNOWN, Standing.LIKELY) for one in found.facts) else 0
    )


def check(loaded: Loaded, file: CopyFile) -> Found:
    """How every fact stands."""
    facts, words = loaded.facts, file.words
    entries = [
        Entry(
            fact.name,
            known.standing.value,
            None if known.value is None else words.value(fact.kind, known.value),
            fact.clause,
            fact.uses == (Use.SIGHT,),
        )
        for fact, known in zip(facts.schema, facts.states, strict=True)
    ]
    wrong = tuple(map(str, loaded.problems))
    return Found(file.schema.game, facts.copy, facts.sample, tuple(entries), wrong)


def report(loaded: Loaded, file: CopyFile) -> list[str]:
    """The same for people: what is open, then how much is settled."""
    facts, words = loaded.facts, file.words
    if not len(facts.schema):
        return [words.texts("facts.none")]
    rows = [f"{file.path}: {'no such file yet' if loaded.text is None else facts.copy or 'no name yet'}"]
    if facts.sample:
        rows.append(f"{words.texts('facts.sample')}: {words.texts('facts.sample_about')}")
    for fact, known in zip(facts.schema, facts.states, strict=True):
        if known.standing in OPEN:
            rows.append(f"{fact.name}: {words.known(fact, known)}; {words.remark(fact)}")
    settled = sum(known.standing not in OPEN for known in facts.states)
    rows.append(f"{settled} of {len(facts.schema)} facts are settled")
    return rows


def _sound(file: CopyFile) -> Loaded:
    """The file, mistakes or not; raises :class:`FactsError` if nothing of it can be used."""
    loaded = file.load()
    if not loaded.sound:
        raise FactsError(*map(str, loaded.problems))
    return loaded


def _right(file: CopyFile) -> Loaded:
    """The file without a mistake in it; raises :class:`FactsError` with all."""
    loaded = file.load()
    if loaded.problems:
        raise FactsError(*map(str, loaded.problems))
    return loaded


def _write(options: argparse.Namespace, text: str) -> int:
    out: Path | None = options.out
    if out is None:
        print(text, end="")
        return Exit.FINE
    if out.exists() and not options.force:
        raise CommandError(f"{out}: exists; --force replaces it", code=Exit.USAGE)
    replace_file(out, text.encode(), 0o666)
    return Exit.FINE


# Edit


def _edit(file: CopyFile, options: argparse.Namespace) -> int:
    name, text = options.name, " ".join(options.value)
    ways = bool(text) + options.as_printed + options.unknown
    if name is None and not ways:
        return _in_editor(file)
    if name is None or ways != 1:
        raise CommandError("edit NAME VALUE, edit NAME --as-printed or edit NAME --unknown", code=Exit.USAGE)
    if name == "copy":
        try:
            file.put({}, copy="" if options.unknown else take(COPY_NAME, text))
        except Unfit:
            raise CommandError(f"copy: a name of 1 to {COPY_NAME.most} letters", code=Exit.USAGE) from None
        print(f"{file.path}: copy = {text}")
        return Exit.FINE
    fact = file.schema.fact(name)
    if options.as_printed and fact.default is None:
        raise CommandError(f"{name}: only the copy tells; enter what it shows", code=Exit.USAGE)
    value = None if options.unknown else fact.default
    if text:
        value = Facts.of(file.schema).entered(name, text)[name]
    facts = file.put({name: value})
    print(f"{file.path}: {name} = {file.words.known(fact, facts.known(name))}")
    return Exit.FINE


def _in_editor(file: CopyFile) -> int:
    """People edit a draft; it replaces the file only when it is right and the file is still what it was."""
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
    after = read(draft, file.schema, file.words)
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
    return Exit.FINE


# Import and compare


def _import(file: CopyFile, source: Path, *, force: bool) -> int:
    given = _given(source, file)
    if not given.digest:
        raise CommandError(f"{source}: has no digest: is it what podesta facts export wrote?")
    here = file.load()
    new = given.facts
    if here.text is not None and not here.sound and not force:
        raise CommandError(*map(str, here.problems), "--force replaces that file")
    lost = list(_lost(here.facts, new, file.words)) if here.sound else []
    lost += map(str, here.problems)
    if lost and not force:
        raise CommandError(*lost, f"{file.path}: that would be lost; --force replaces it")
    if here.text is None or lost or not here.sound or here.facts.sample != new.sample:
        if here.text is not None:
            data = read_file(file.path)
            replace_file(file.path.with_name(file.path.stem + BEFORE), data)
        file.write(template(new, file.words))
    else:
        file.put(new.confirmed, copy=new.copy)
    print(
        f"{file.path}: {len(new.confirmed)} of {len(new.schema)} facts, copy {new.copy or 'without a name'}"
    )
    return Exit.FINE


def _given(path: Path, file: CopyFile) -> Loaded:
    """A file that was named; raises OSError if it cannot be read, :class:`CommandError` with its mistakes."""
    loaded = parse(read_file(path), file.schema, str(path), file.words)
    if loaded.problems:
        raise CommandError(*map(str, loaded.problems))
    return loaded


def _lost(here: Facts, new: Facts, words: FactWords) -> Iterator[str]:
    """What people know here and the new facts have otherwise or not at all."""
    known = here.confirmed
    if here.copy and here.copy != new.copy:
        yield f"copy: {here.copy}, there {new.copy or 'without a name'}"
    if known and here.sample != new.sample:
        yield f"sample: {'yes' if here.sample else 'no'}, there {'yes' if new.sample else 'no'}"
    for difference in differences(here, new):
        if difference.fact.name in known:
            yield words.difference(difference, "here", "there")


def _compare(file: CopyFile, one: Path, other: Path | None) -> int:
    mine = _given(one, file).facts
    yours = _given(other, file).facts if other else _right(file).facts
    names = str(one), str(other or file.path)
    rows = [f"copy: {names[0]} {mine.copy or '-'}; {names[1]} {yours.copy or '-'}"] * (
        replace(mine, states=()) != replace(yours, states=())
    )
    rows += [file.words.difference(found, *names) for found in differences(mine, yours)]
    print("\n".join(rows) or "no difference")
    return Exit.WRONG if rows else Exit.FINE
