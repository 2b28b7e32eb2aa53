"""The page's own texts: told in each language, each used, and none left in English."""

import asyncio
import html
import re

import pytest

from device.panel.app import PAGE
from device.panel.looking import SECTION, Counted, list_wordings
from device.simulate import Fault
from device.texts import Texts
from device.voices import COOKIE
from engines.facts import Standing
from engines.texts import PluralText
from tests.device.panel.browsing import browsing
from tests.device.panel.fakes import Box, ask

SIZE = 150_000
"""A phone loads all of the page in a moment, in bytes."""

ENGLISH = Texts.load("en", strict=True)
SCRIPTS = {file.name: file.read_text("utf-8") for file in PAGE.glob("*.js")}
INDEX = (PAGE / "index.html").read_text("utf-8")
ASKED = re.compile(
    r'(?<![\w.])(?:t|parts)\((?:"|[^()"]+ \? ")([\w.]+)"(?: : "([\w.]+)")?|"([a-z_]+\.[a-z_]+)"'
)
STANDING = re.compile(r'data-t(?:-label|-title)?="([\w.]+)"')


def told(**cookies):
    return ask(Box().app, "GET", "/texts", cookies=cookies).json()


def test_the_texts_in_the_language_of_the_cookie():
    english, japanese = told(), told(**{COOKIE: "ja"})
    assert (english["language"], japanese["language"]) == ("en", "ja")
    assert english["languages"] == japanese["languages"] == {"en": "English", "ja": "日本語"}
    assert english["texts"]["tab.table"] == "Table"
    assert japanese["texts"]["tab.table"] == "卓"
    assert english["texts"].keys() == japanese["texts"].keys()
    assert told(**{COOKIE: "tlh"}) == english


def test_what_counts_has_its_languages_forms():
    english, japanese = told()["texts"], told(**{COOKIE: "ja"})["texts"]
    assert english["rules.many"] == {
        "by": "n",
        "forms": {"one": "{n} rule of {game}", "other": "{n} rules of {game}"},
    }
    assert japanese["rules.many"] == {"by": "n", "forms": {"other": "{game}のルール{n}件"}}


def test_a_language_of_more_forms():
    class Polish:
        def npgettext(self, _key, one, _other, n):
            few = n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14)
            return one if n == 1 else "{n} karty" if few else "{n} kart"

    text = PluralText("n", "{n} karta", "", "web.cards", Polish())
    texts = Texts()
    texts._texts["web.cards"] = text
    assert list_wordings(texts)["cards"] == Counted(
        "n", {"one": "{n} karta", "two": "{n} karty", "few": "{n} karty", "other": "{n} kart"}
    )


# Each text is used, and each that is used is there


def used():
    """The keys in the scripts and in index.html."""
    scripts = {key for script in SCRIPTS.values() for found in ASKED.findall(script) for key in found if key}
    known = {key.removeprefix(f"{SECTION}.") for key in ENGLISH.under(SECTION)}
    kinds = {f"fault.{fault}" for fault in Fault} | {f"copies.standing.{one}" for one in Standing}
    assert "t(`fault.${name}`)" in SCRIPTS["box.js"]
    assert "t(`copies.standing.${fact.standing}`)" in SCRIPTS["copies.js"]
    assert 'list = (names, key = "comma")' in SCRIPTS["words.js"]
    assert ', "and")' in SCRIPTS["history.js"]
    assert ', "row")' in SCRIPTS["table.js"]
    scripts = {key for key in scripts if key in known or called(key)}
    return scripts | {*STANDING.findall(INDEX)} | kinds | {"comma", "and", "row"}


def called(key):
    """Return True if a script asks for this text, known or not."""
    return any(
        re.search(rf'(?<![\w.])(?:t|parts)\("{re.escape(key)}"', script) for script in SCRIPTS.values()
    )


def test_each_text_is_used_and_no_other():
    assert used() == {key.removeprefix(f"{SECTION}.") for key in ENGLISH.under(SECTION)}


def test_each_text_is_given_its_blanks():
    """A blank that a script forgets is empty on the page."""
    for script in SCRIPTS.values():
        for key, given in re.findall(r'(?<![\w.])(?:t|parts)\("([\w.]+)", \{([^}]*)\}\)', script):
            names = {re.split(r"[:,\s]", one.strip())[0] for one in re.split(r",(?![^(]*\))", given)}
            assert ENGLISH.placeholders(f"{SECTION}.{key}") <= names, key


def test_english_stands_in_the_header_itself():
    """It is read until the texts are there, or where they never come."""
    for key, text in re.findall(r'data-t="([\w.]+)"[^>]*>([^<]+)</', INDEX):
        assert html.unescape(text) == ENGLISH(f"{SECTION}.{key}")


def test_the_page_is_light():
    assert sum(file.stat().st_size for file in PAGE.iterdir()) <= SIZE


# In a browser

READ = """((tab) => {
    const hidden = 'script, style, noscript, #screen-text, :not(html)[lang=en], kbd, .fact > p';
    const own = (one) => !one.closest(hidden) && (one.closest(`#panel-${tab}`) || !one.closest('main'));
    const texts = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) if (own(walk.currentNode.parentElement)) texts.push(walk.currentNode.data);
    for (const one of document.querySelectorAll('*')) if (own(one))
        for (const name of ['aria-label', 'title', 'alt', 'placeholder', 'data-says'])
            if (one.getAttribute(name)) texts.push(one.getAttribute(name));
    return [document.title, ...texts];
})"""
"""All that is read or heard in a tab: texts, and what stands for pictures and keys."""

OPEN = "document.querySelectorAll('#panel-box details').forEach((one) => { one.open = true; })"
SHOWN = "document.querySelectorAll('#status dt').length > 2"
READY = {
    "table": "document.querySelector('#play .ask') && document.querySelector('.panel, #lies > *')",
    "score": "document.querySelector('.plot svg, .course .quiet')",
    "history": "document.querySelector('#panel-history .past')",
    "rules": "document.querySelector('#panel-rules dt')",
    "box": "document.querySelector('#copies .facts > *') && document.querySelector('.lesson > *')",
}
"""By tab, what is there once all of it is."""

WORD = re.compile(r"[A-Za-z]{2,}")
KEPT = re.compile(
    r"(?<![A-Za-z])(AP|TO|SG)(?![A-Za-z])|mm(?![A-Za-z])|ドアtoドア|Buona Pietra|\[\[camera\]\]"
)
"""What points, clauses, cards and settings are called in Japanese, too."""


async def read(page, tab):
    await page.eval(f"location.hash = '#{tab}'")
    await page.eval(OPEN)
    await page.until(f"Boolean({READY[tab]})")
    return await page.eval(f"{READ}('{tab}')")


async def speak(page, language):
    """Choose a language as people do, and wait for the page in it."""
    await page.eval("window.before = true")
    await page.eval(
        "(() => { const chosen = document.querySelector('#language select');"
        f" chosen.value = '{language}'; chosen.dispatchEvent(new Event('change')); }})()"
    )
    spoken = f"document.documentElement?.lang === '{language}'"
    await asyncio.sleep(0.5)  # the page that goes answers nothing any more
    await page.until(f"!window.before && {spoken} && {SHOWN}")


async def reads(page, tab, texts):
    """Wait until a tab has just these texts; what comes later than others is drawn by then."""
    for _ in range(50):
        if await read(page, tab) == texts:
            return
        await asyncio.sleep(0.2)
    assert await read(page, tab) == texts


@pytest.mark.parametrize(
    ("name", "act"),
    [("torres_two", "none"), ("nobles", "paired")],
)
@browsing({"torres_two": None, "nobles": 30})
async def test_no_english_is_left_in_japanese(page, box, library, name, act):
    box.line |= {"url": "/0", "online": True, "why": ""}
    names = {word for name in library.referee.replay.names for word in WORD.findall(name)}
    await page.open(box.url)
    await page.until(SHOWN)
    english = {tab: await read(page, tab) for tab in READY}
    assert "Box" in english["box"]
    await speak(page, "ja")
    assert await page.eval("document.cookie") == f"{COOKIE}=ja"
    for tab in READY:
        texts = await read(page, tab)
        left = [text for text in texts if {*WORD.findall(KEPT.sub("", text))} - names]
        assert left == [], (tab, left)
    assert await page.eval("document.querySelector('#tab-table').textContent") == "卓"
    assert (await page.eval("document.title")).endswith("ポデスタ")
    await speak(page, "en")
    for tab in READY:
        await reads(page, tab, english[tab])
    assert page.errors == []


LYING = """(async () => {
    const { rowsOf } = await import('./rows.js');
    const pieces = [[7, 0], [1, 0], [0, -2]].map(([count, grew]) => ({ name: '水', count, grew, marks: [] }));
    const zones = [{ seat: null, name: 'stock', title: '–', lay: 'pile', pieces }];
    const [table] = rowsOf({ boards: [], players: [], zones });
    return [...table.querySelectorAll('.piece')].map((piece) => piece.textContent);
})()"""


@browsing({})
async def test_pieces_are_counted_as_the_language_does(page, box):
    """Those of a game whose table is not drawn."""
    await page.open(box.url)
    for language, seven in (("en", "7 × 水"), ("ja", "水×7")):
        await speak(page, language) if language != "en" else await page.until(SHOWN)
        assert await page.eval(LYING) == [seven, "水", "水−2"]
