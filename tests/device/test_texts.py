from importlib.resources import files
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from device.commands.i18n import FOREIGN
from device.texts import Texts
from engines.texts import Catalogue as Compiled
from engines.texts import PluralText, TextError

GAMES = tuple(
    sorted(
        folder.name
        for folder in files("engines").iterdir()
        if folder.is_dir() and folder.joinpath("texts.en.toml").is_file()
    )
)
HOME = {"home": {"continue": "Continue {name}", "title": "Podestà"}}


def test_what_is_counted_has_a_form_for_one_and_one_for_the_others():
    t = Texts({"a": {"w": {"one": "1 worker", "other": "{n} workers"}}}, strict=True)
    assert [t("a.w", n=n) for n in (0, 1, 2)] == ["0 workers", "1 worker", "2 workers"]
    assert (list(t), t.placeholders("a.w")) == (["a.w"], {"n"})
    t = Texts(
        {"left": {"by": "left", "one": "{seat}: one left", "other": "{seat}: {left} left"}}, strict=True
    )
    assert [t("left", seat="Ada", left=left) for left in (1, 3)] == ["Ada: one left", "Ada: 3 left"]
    assert t.placeholders("left") == {"seat", "left"}
    with pytest.raises(TextError, match="a must have one, other and perhaps by"):
        Texts({"a": {"one": "1", "other": "2", "few": "3"}})


def test_a_missing_text_or_value_shows_its_name_or_raises_when_strict():
    texts, strict = Texts(HOME), Texts(HOME, strict=True)
    assert texts("home.gone", name="x") == "home.gone"
    with pytest.raises(TextError, match=r"no text home\.gone"):
        strict("home.gone")
    for values in ({}, {"nam": "Torres"}):
        assert texts("home.continue", **values) == "Continue {name}"
        with pytest.raises(TextError, match=r"home\.continue needs a value for name"):
            strict("home.continue", **values)
    with pytest.raises(TextError, match=r"home\.n must be a string"):
        Texts({"home": {"n": 3}})


def test_a_value_that_does_not_fit_its_format():
    table = {"score": "{points:+d}"}
    assert Texts(table)("score", points=5) == "+5"
    assert Texts(table)("score", points="five") == "{points:+d}"
    with pytest.raises(TextError, match="text score"):
        Texts(table, strict=True)("score", points="five")


@pytest.mark.parametrize("text", ["{", "a } b", "{}", "{0}", "{name.x}", "{name[0]}", "{name:{width}}"])
def test_placeholders_are_plain_names(text: str):
    with pytest.raises(TextError, match="text home"):
        Texts({"home": text})


def test_tables_are_merged_and_no_key_is_set_twice():
    t = Texts(HOME, {"home": {"new": "New"}}, {"torres.build": "Build"})
    assert list(t) == ["home.continue", "home.title", "home.new", "torres.build"]
    assert "home.new" in t
    with pytest.raises(TextError, match=r"home\.title is set twice"):
        Texts(HOME, {"home.title": "x"})


def test_what_another_language_lacks_is_english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    folder = tmp_path / "box" / "texts"
    (folder / "xx").mkdir(parents=True)
    (folder / "en.toml").write_text(
        'a = "one"\nb = "two"\nc = { one = "{n} card", other = "{n} cards" }\n'
        'd = { one = "{n} game", other = "{n} games" }\n'
    )
    catalogue = Catalog(locale="cs")  # three forms: 1, 2 to 4, 5 and more
    catalogue.add("one", "jedna", context="a")
    catalogue.add("two", "not this", context="another key")
    catalogue.add(("{n} card", "{n} cards"), ("{n} karta", "{n} karty", "{n} karet"), context="c")
    with (folder / "xx" / "box.mo").open("wb") as file:
        write_mo(file, catalogue)
    monkeypatch.setattr(Texts, "folders", (folder,))
    monkeypatch.setattr(Texts, "catalogues", folder)
    assert Texts.languages() == ("en", "xx")
    t = Texts.load("xx", strict=True)
    assert (t("a"), t("b")) == ("jedna", "two")
    assert [t("c", n=n) for n in (1, 3, 5, "2", "many")] == [
        *("1 karta", "3 karty", "5 karet", "2 karty", "many karet"),
    ]
    assert [t("d", n=n) for n in (1, 2)] == ["1 game", "2 games"]
    assert t.placeholders("c") == {"n"}


def test_a_broken_catalogue_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    folder = tmp_path / "box" / "texts"
    (folder / "xx").mkdir(parents=True)
    (folder / "en.toml").write_text('a = "one"\n')
    (folder / "xx" / "box.mo").write_bytes(b"no catalogue")
    monkeypatch.setattr(Texts, "folders", (folder,))
    monkeypatch.setattr(Texts, "catalogues", folder)
    with pytest.raises(TextError, match=r"xx/box\.mo"):
        Texts.load("xx")


def test_a_reading_that_is_none_is_named_by_its_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    (tmp_path / "xx").mkdir()
    (tmp_path / "xx" / "readings.txt").write_text("# words\n塔 トウ\n\n塔\n", "utf-8")
    monkeypatch.setattr(Texts, "catalogues", tmp_path)
    with pytest.raises(TextError, match=r"xx/readings\.txt:4: not a word and how it is read"):
        Texts.load("xx")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", Texts.languages())
def test_every_language_asks_for_the_same_values(language: str, game: str):
    english, other = Texts.load("en", game), Texts.load(language, game)
    assert {key: english.placeholders(key) for key in english if key != FOREIGN} == {
        key: other.placeholders(key) for key in other if key != FOREIGN
    }


def test_a_catalogue_lets_go_what_was_taken_out_but_plural_forms(tmp_path):
    told, file = Catalog("ja"), tmp_path / "told.mo"
    told.add("a", "ア", context="key")
    told.add(("{n} worker", "{n} workers"), ("人 {n}",), context="many")
    with file.open("wb") as opened:
        write_mo(opened, told)
    with file.open("rb") as opened:
        catalogue = Compiled(opened)
    many = PluralText("n", "{n} worker", "{n} workers")
    assert catalogue.pgettext("key", "a") == "ア"
    catalogue.forget({"key": "a", "many": many})
    assert catalogue.pgettext("key", "a") == "a"
    assert catalogue.npgettext("many", "{n} worker", "{n} workers", 2) == "人 {n}"


@pytest.mark.parametrize(
    ("language", "said"), [("en", "Adso: Take 2 water. Pay 1."), ("ja", "Adso: Take 2 water。Pay 1.")]
)
def test_sentences_stand_one_after_the_other_and_behind_a_colon_one_goes_on(language, said):
    texts = Texts.load(language, strict=True)
    assert texts.sentences(["Adso:", "Take 2 water", "", "Pay 1."]) == said
    assert texts.phrase(["a", "b"]) == ("a b" if language == "en" else "a、b")
    assert texts.phrase(["a。", "b"]) == ("a。 b" if language == "en" else "a。b")
