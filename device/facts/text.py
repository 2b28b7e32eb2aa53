"""Facts as TOML text: a template to fill in, a text changed in a few places, an export for another box."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from device.facts.words import FactWords
from engines.fact_kinds import Value, bare, write
from engines.facts import Fact, Facts, Schema, Source, Standing

FORMAT = 1


def spelled(value: object) -> str:
    """A value in TOML's own spelling, in one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {spelled(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(spelled, value)) + "]"
    # JSON's spelling is TOML's, but for one control character, and no text here holds any.
    return json.dumps(value, ensure_ascii=False)


def template(facts: Facts, words: FactWords) -> str:
    """A file with a line for every fact, under a remark what it is and may be.

    Only what people have confirmed counts; a default or nothing stands behind a ``#``.
    """
    t, game = words.texts, facts.schema.game
    head = t("facts.template", game=t("title"), command=f"podesta facts {game} check").splitlines()
    rows = [f"# {row}" for row in head]
    rows += [f"format = {FORMAT}", f"game = {spelled(game)}"]
    rows += [f"# {t('facts.copy')}", f"copy = {spelled(facts.copy)}"]
    if facts.sample:
        rows += [f"# {t('facts.sample_about')}", "sample = true"]
    section = ""
    for fact, known in _by_section(facts):
        if fact.table != section:
            section = fact.table
            rows += ["", f"[{section}]", f"# {words.about(fact)}", f"# {words.remark(fact)}"]
        elif not section:
            rows += ["", f"# {words.label(fact)}: {words.about(fact)}", f"# {words.remark(fact)}"]
        if known.standing is Standing.CONFIRMED:
            rows.append(_setting(fact, known.value))
        else:
            rows.append(_open(fact))
    return "\n".join(rows) + "\n"


def exported(facts: Facts, words: FactWords) -> str:
    """What people have confirmed of a copy, with its name and a digest."""
    t = words.texts
    rows = [f"# {t('facts.exported', game=t('title'))}", f"format = {FORMAT}"]
    rows += [f"game = {spelled(facts.schema.game)}", f"copy = {spelled(facts.copy)}"]
    rows += ["sample = true"] * facts.sample
    rows.append(f"digest = {spelled(digest_of(facts))}")
    section = ""
    for fact, known in _by_section(facts):
        if known.standing is Standing.CONFIRMED:
            if fact.table != section:
                section = fact.table
                rows += ["", f"[{section}]"]
            rows.append(_setting(fact, known.value))
    return "\n".join(rows) + "\n"


def digest_of(facts: Facts) -> str:
    """SHA-256 over the game, the copy's name, whether it is a sample, and each confirmed fact's text form."""
    told = {"game": facts.schema.game, "copy": facts.copy, "sample": str(facts.sample)}
    told |= {
        f"fact.{name}": write(facts.schema.fact(name).kind, value) for name, value in facts.confirmed.items()
    }
    lines = "".join(f"{name} = {text}\n" for name, text in sorted(told.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def edited(text: str, schema: Schema, changes: Mapping[str, Value], copy: str | None = None) -> str | None:
    """A valid file's text with some facts changed, None being forgotten, and nothing else but the digest of
    an export, which no longer fits. None for a text that is laid out so that this cannot be done.
    """
    before = tomllib.loads(text)
    want = {key: dict(value) if isinstance(value, dict) else value for key, value in before.items()}
    wishes = [(tuple(name.split(".")), _bare(schema.fact(name), value)) for name, value in changes.items()]
    if copy is not None:
        wishes.append((("copy",), copy))
    wishes.append((("digest",), None))
    for path, value in wishes:
        _wish(want, path, value)
    for name, value in changes.items():
        if value is not None:
            text = _taken_off(text, schema.fact(name), value)
    left = [(path, value) for path, value in wishes if _found(tomllib.loads(text), path) != value]
    changed = _by_tomlkit(text, left) if left else text
    return changed if changed is not None and _same(changed, want) else None


def _bare(fact: Fact, value: Value) -> Any:
    return None if value is None else bare(fact.kind, value)


def _wish(tables: dict[str, Any], path: Sequence[str], value: Any) -> None:
    home = tables.setdefault(path[0], {}) if path[1:] else tables
    if value is not None:
        home[path[-1]] = value
    else:
        home.pop(path[-1], None)


def _found(tables: Mapping[str, Any], path: Sequence[str]) -> Any:
    home = tables.get(path[0], {}) if path[1:] else tables
    return home.get(path[-1])


def _same(text: str, want: Mapping[str, Any]) -> bool:
    """Whether a text says just that; a section of nothing says nothing."""
    try:
        found = tomllib.loads(text)
    except ValueError:
        return False
    full, wanted = ({key: value for key, value in one.items() if value != {}} for one in (found, dict(want)))
    return full == wanted


def _by_section(facts: Facts) -> Iterator[tuple[Fact, Any]]:
    """Every fact with what is known of it, those of no table first."""
    pairs = list(zip(facts.schema, facts.states, strict=True))
    for section in dict.fromkeys(["", *(fact.table for fact, _ in pairs)]):
        yield from (pair for pair in pairs if pair[0].table == section)


def _setting(fact: Fact, value: Value) -> str:
    return f"{fact.name.rpartition('.')[2]} = {spelled(bare(fact.kind, value))}"


def _open(fact: Fact) -> str:
    """The line of a template for a fact that nobody has confirmed."""
    if fact.source is Source.COPY:
        return f"#{fact.name.rpartition('.')[2]} ="
    return f"#{_setting(fact, fact.default)}"


def _taken_off(text: str, fact: Fact, value: Value) -> str:
    """The text with a template's line for this fact filled in; as it is without one."""
    rows, section = text.split("\n"), ""
    for number, row in enumerate(rows):
        if row.startswith("[") and row.rstrip().endswith("]"):
            section = row.strip().strip("[]").strip()
        elif row == _open(fact) and section == fact.table:
            rows[number] = _setting(fact, value)
            filled = "\n".join(rows)
            try:
                tomllib.loads(filled)
            except ValueError:  # it is there already
                return text
            return filled
    return text


def _by_tomlkit(text: str, wishes: Sequence[tuple[Sequence[str], Any]]) -> str | None:
    import tomlkit  # noqa: PLC0415 – only where a file is changed
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415 – likewise

    try:
        document = tomlkit.parse(text)
        for path, value in wishes:
            home: Any = document
            if path[1:]:
                if path[0] not in document:
                    document[path[0]] = tomlkit.table()
                home = document[path[0]]
            key = path[-1]
            if value is None:
                home.pop(key, None)
            elif isinstance(value, dict) and isinstance(home.get(key), tomlkit.items.Table):
                for field in [field for field in home[key] if field not in value]:
                    del home[key][field]
                for field, inner in value.items():
                    if home[key].get(field) != inner:
                        home[key][field] = tomlkit.value(spelled(inner))
            else:
                home[key] = tomlkit.value(spelled(value))
        return tomlkit.dumps(document)
    except (TOMLKitError, LookupError, ValueError, TypeError, AttributeError):
        return None
