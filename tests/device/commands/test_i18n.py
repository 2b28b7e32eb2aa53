"""Catalogues of other languages: what is wrong with one is named by file, line and key."""

import ast
import re
import shutil

import pytest

from device.cli import main
from device.commands.i18n import PLACES, read_english, update
from device.texts import Texts
from engines.texts import PluralText
from tests.rooms import ROOT


@pytest.fixture
def catalogues(tmp_path, monkeypatch):
    """A copy of the languages, to be damaged."""
    folder = tmp_path / "texts"
    shutil.copytree(Texts.catalogues, folder)
    monkeypatch.setattr(Texts, "catalogues", folder)
    return folder


@pytest.fixture
def only(monkeypatch):
    """Let only these domains be looked at, not all there are texts of."""

    def only(*domains):
        texts = {domain: read_english()[domain] for domain in domains}
        monkeypatch.setattr("device.commands.i18n.read_english", lambda: texts)

    return only


@pytest.fixture
def torres(only):
    only("torres")


def test_every_language_is_whole(capsys):
    assert main(["i18n", "check"]) == 0
    out = capsys.readouterr()
    assert "marrakesh" in out.out
    assert out.err == ""


def damaged(file, key, old, new):
    """Change what a key says in a catalogue; ``old`` is a pattern of its entry."""
    text = file.read_text("utf-8")
    entry = re.search(rf'msgctxt "{re.escape(key)}"\n.*?\n\n', text, re.DOTALL)[0]
    changed = re.sub(old, new, entry, count=1)
    assert changed != entry
    file.write_text(text.replace(entry, changed), "utf-8")


@pytest.mark.parametrize(
    ("key", "old", "new", "said"),
    [
        ("question.to", r'msgstr "[^"]*"', 'msgstr ""', "is not translated"),
        ("question.to", r"\{cell\}は", "{space}は", r"fills \{space\}, in English \{cell\}"),
        ("question.to", r"\{cell\}は", "{cell は", "question.to"),
        ("question.to", r"どこへ", "where", "English is left: where"),
        ("question.to", r"どこへ", "☃へ", "the display's font lacks ☃"),
        ("question.to", r"どこへ", "どこへ" * 9, r"takes \d+ px beside what fills it, and has 2 × 120"),
        ("question.to", r'msgid "[^"]*"', 'msgid "{cell} goes there?"', "the English text has changed"),
        ("question.to", r"question\.to", "question.fro", "question.fro: is not used any more"),
        ("category.king", r'msgstr "[^"]*"', 'msgstr "' + "王" * 11 + '"', "has 1 × 124"),
        ("clause.TO-3.12", r"AP", "{AP", ""),
    ],
)
@pytest.mark.usefixtures("torres")
def test_what_is_wrong_is_named(catalogues, capsys, key, old, new, said):
    file = catalogues / "ja" / "torres.po"
    damaged(file, key, old, new)
    assert main(["i18n", "check", "ja"]) == 1
    lines = [line for line in capsys.readouterr().err.splitlines() if said and re.search(said, line)]
    assert bool(lines) == bool(said)
    assert all(re.match(rf"podesta: {file}:\d+: ", line) for line in lines)


@pytest.mark.usefixtures("torres")
def test_an_outdated_compiled_catalogue_is_named_and_compiled(catalogues, capsys):
    damaged(catalogues / "ja" / "torres.po", "title", "トーレス", "トレス")
    assert main(["i18n", "check", "ja"]) == 1
    assert "torres.mo: is not what torres.po says" in capsys.readouterr().err
    assert main(["i18n", "update", "ja"]) == 0
    assert main(["i18n", "check", "ja"]) == 0


def test_a_new_language_is_a_folder(catalogues, capsys):
    update("cs")
    assert sorted(file.name for file in (catalogues / "cs").iterdir()) == [
        *(f"{domain}.{end}" for domain in sorted(read_english()) for end in ("mo", "po")),
    ]
    assert Texts.load("cs", "torres")("title") == "Torres", "English where nothing is translated yet"
    assert main(["i18n", "check", "cs"]) == 1
    assert "torres.po" in capsys.readouterr().err
    forms = re.search(
        r'msgctxt "undo\.\w+"|msgstr\[2\]', (catalogues / "cs" / "device.po").read_text("utf-8")
    )
    assert forms


@pytest.mark.parametrize(
    ("key", "said", "wrong"),
    [
        ("goes", ("Where does it go?",), "English is left: Where does it go"),
        ("goes", ("Kam jde?",), ""),
        ("start", ("Start",), ""),
        ("cards", ("1 karta", "{n} karty", "{n} karet"), ""),
        ("cards", ("1 karta", "{n} karty", "karet"), r"fills nothing, in English \{n\}"),
    ],
)
def test_a_language_of_latin_letters_and_many_forms(catalogues, capsys, monkeypatch, key, said, wrong):
    english = {"goes": "Where does it go?", "start": "Start", "cards": PluralText("n", "1 card", "{n} cards")}
    monkeypatch.setattr("device.commands.i18n.read_english", lambda: {"torres": {key: english[key]}})
    update("cs")
    file = catalogues / "cs" / "torres.po"
    text = file.read_text("utf-8")
    for form in said:
        text = re.sub(r'(msgstr\S* )""(?=\n(msgstr|\n|$))', rf'\1"{form}"', text, count=1)
    file.write_text(text, "utf-8")
    update("cs")
    assert main(["i18n", "check", "cs"]) == bool(wrong)
    assert re.search(wrong, capsys.readouterr().err)


def test_what_changes_in_english_is_marked_and_what_goes_is_dropped(catalogues, monkeypatch):
    now = read_english()
    now["torres"]["question.to"] = "{cell} moves where?"
    del now["torres"]["question.place"]
    monkeypatch.setattr("device.commands.i18n.read_english", lambda: now)
    update("ja")
    text = (catalogues / "ja" / "torres.po").read_text("utf-8")
    entry = re.search(
        r'#, [^\n]*fuzzy[^\n]*\nmsgctxt "question\.to"\nmsgid "([^"]*)"\nmsgstr "([^"]*)"', text
    )
    assert entry.groups() == ("{cell} moves where?", "{cell}はどこへ？")
    assert 'msgctxt "question.place"' not in text


@pytest.mark.usefixtures("torres")
def test_a_broken_file_and_a_language_that_is_not_there(catalogues, capsys):
    assert main(["i18n", "check", "tlh"]) == 2
    assert "no language 'tlh', only ja" in capsys.readouterr().err
    (catalogues / "ja" / "torres.po").write_text('msgid "a"\nnonsense\n', "utf-8")
    assert main(["i18n", "check", "ja"]) == 1
    assert "torres.po:2" in capsys.readouterr().err


SHOWN = {"Item": ("item", 0), "Menu": ("title", 1), "TextReader": ("title", 1), "Reader": ("title", 1)}
"""What the menus show, the place of its text, and which argument that is."""


def shown():
    """Each key that the menus show as it is in a place that is measured."""
    for file in sorted((ROOT / "device" / "menus").glob("*.py")):
        for call in ast.walk(ast.parse(file.read_text("utf-8"))):
            match call:
                case ast.Call(ast.Name(name), args) if name in SHOWN and len(args) > SHOWN[name][1]:
                    place, at = SHOWN[name]
                    match args[at]:
                        case ast.Call(_, [ast.Constant(str(key)), *_], keywords) if not keywords:
                            yield key, place


def test_every_text_with_a_place_is_measured():
    found = {key: place for key, place in shown() if key in read_english()["device"]}
    assert len(found) > 60
    placed = {key: next((one.name for one in PLACES if one.keys.fullmatch(key)), "") for key in found}
    assert {key: place for key, place in found.items() if placed[key] not in ("title", place)} == {}


def test_the_table_says_how_far_a_language_is_and_what_its_places_cut(catalogues, capsys, only):
    only("torres", "san_gimignano")
    damaged(catalogues / "ja" / "torres.po", "category.king", r'msgstr "[^"]*"', f'msgstr "{"王" * 11}"')
    assert main(["i18n", "check", "ja"]) == 1
    out = capsys.readouterr().out
    assert re.search(r"(?m)^ja +texts +translated +longest +truncated$", out)
    assert re.search(r"(?m)^torres +(\d+) +\1 +\d+ px +1$", out)
    assert re.search(r"(?m)^san_gimignano +(\d+) +\1 +\d+ px +0$", out)
    assert re.search(r"(?m)^score row +\d+ +132 px +1 × 124 px$", out)
