"""The score sheet: everything on it, nothing from elsewhere, one page."""

import asyncio
import base64
import re
import time
import warnings
from html.parser import HTMLParser
from pathlib import Path

import pytest
from msgspec.structs import replace

from device.exports import account, sheet
from device.exports.sheet import draw_board
from device.match import MatchResult, find_together
from device.match.journal import Journal
from device.match.rulings import Adjust, Answered, Call, Dispute
from engines import matchfile
from engines.board import Board, BoardShape, Cell
from engines.contract import Booking, Tally
from tests.device.clocks import FakeClock
from tests.device.commands.recorded import (
    GAME,
    HEADER,
    Played,
    chained,
    drafts,
    match_file,
    of_journal,
    ruled_match,
    ruling,
)
from tests.device.exports.test_seats import recorded
from tests.device.panel.chromium import CHROMIUM, chromium
from tests.rooms import ROOT

if CHROMIUM is None:
    warnings.warn("no Chromium here: nobody counted the pages of a score sheet", stacklevel=1)


@pytest.fixture(autouse=True)
def zone(monkeypatch):
    """Sets the time zone of the machine, at first Greenwich's."""

    def live_in(name):
        monkeypatch.setenv("TZ", name)
        time.tzset()

    live_in("UTC0")
    yield live_in
    monkeypatch.undo()
    time.tzset()


NASTY = "<script>alert('x')</script> & \"Söhne\""
PAPERS = {"A4": (8.27, 11.69), "Letter": (8.5, 11.0)}


class Text(HTMLParser):
    """The words of a page, and every tag and attribute in it."""

    def __init__(self, page):
        super().__init__()
        self.words, self.tags, self.attributes = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        if self.tags and self.tags[-1] != "style":
            self.words += data.split()

    def __str__(self):
        return " ".join(self.words)


@pytest.fixture
def page(tmp_path):
    """A sheet with every kind of ruling on it."""
    return sheet.write(of_journal(ruled_match(tmp_path)))


def long_match(folder, names=("Benedettina von der Vogelweide zu Hohenstaufen", NASTY)):
    """A match in which people ruled and ruled; its account."""
    game = Played(folder, replace(HEADER, names=names, simulated=True))
    game.steps("8 6 10 9", "P d d", "P d d")
    for number in range(1, 61):
        game.rule(Adjust(number % 2, number, f"{NASTY} once more " * 4), by="ab")
    for seat in (0, 1):
        game.rule(Call(f"seat {seat} is not content " * 9))
        game.rule(Answered(), by="judge")
    game.steps("pass", "pass")
    game.rule(Dispute(0, (9999, 1)))
    game.rule(Dispute(1, (1, 9999)))
    return of_journal(game.done())


def test_a_match_of_an_event_says_which_table_and_round(tmp_path):
    ids = {"table_id": "table-07", "event_id": "Friday cup"}
    for more, place in (({"round": "2"}, "Friday cup, table-07, round 2"), ({}, "Friday cup, table-07")):
        with Journal.create(tmp_path / place, HEADER.write() | ids | more, FakeClock().stamp) as journal:
            journal.append(drafts(1))
        assert f"Event {place}" in str(Text(sheet.write(of_journal(tmp_path / place))))


def many_parts(monkeypatch, told, parts):
    """Return the same match as if points had been booked in so many deals."""
    booked = [
        Booking(seat, 5, category, "SG-8.1", "1 × 5", part=part)
        for part in range(1, parts + 1)
        for category in GAME.scoring.CATEGORIES
        for seat in (0, 1)
    ]
    monkeypatch.setattr(GAME.scoring, "bookings", lambda state: tuple(booked))
    return told


@pytest.mark.parametrize("name", ["torres_three", "nobles"])
def test_in_japanese_no_english_is_left(name):
    file = matchfile.read((ROOT / "tests" / "matches" / f"{name}.match").read_text("utf-8"), name)
    said = Text(sheet.write(account.read_match_file(file, name), "ja"))
    own = {
        *file.names,
        *(word for text in dict(file.setup.facts).values() for word in re.findall(r"\w+", text)),
    }
    assert set(re.findall("[A-Za-z]{4,}", str(said))) - own == set()


def test_who_played_when_how_and_who_won(page):
    text = str(Text(page))
    assert "San Gimignano – Score sheet" in text
    assert "Played 2023-11-14 22:13; Adso begins" in text
    assert "Winner Adso Confirmed by Adso Disputed William counts 0 : 5" in text
    assert "Total 20 0" in text
    assert "Highest 10 marker 0" in text


def test_rulings_are_told_in_short(page):
    text = str(Text(page))
    takes = "William: takes {} from the market and a card from the deck"
    assert f"10 Entry 6 corrected: {takes.format(9)} (was {takes.format(6)}) (agreed: Adso, William)" in text
    assert "14 +7 for Adso by hand – slow play, said Guido (agreed: Adso, William)" in text
    assert re.search(
        r"18 Let stand against SG-3.12: Adso: [^:]+ – we all wanted to \(agreed: Adso, William\)", text
    )
    assert "3 A judge was called – which card was it?" in text


def test_a_match_without_rulings_or_records_says_so():
    text = str(Text(sheet.write(account.read_match_file(matchfile.read(match_file()), "x"))))
    assert "Played (date); Adso begins" in text
    assert "Rulings None." in text
    assert "From a match file, without records." in text


@pytest.mark.parametrize(
    ("last", "said"), [("abandon too late", "Abandoned; as it stood"), ("pause", "Not over; as it stands")]
)
def test_a_match_without_an_end_is_told_to_be(last, said):
    fields = HEADER.write()
    told = account.read_log(fields, chained(fields, [*drafts(12), ruling(last)]))
    assert said in str(Text(sheet.write(told)))


def test_nothing_on_it_acts_or_comes_from_elsewhere(tmp_path):
    page = sheet.write(long_match(tmp_path))
    text = Text(page)
    assert not {"script", "img", "link", "iframe", "object", "a", "form"} & set(text.tags)
    names = {name for name, _ in text.attributes}
    assert not [name for name in names if name in ("src", "href", "style") or name.startswith("on")]
    assert not re.search(r"https?://|url\(|@import", page)
    assert "<script>" not in page
    assert "<script>alert('x')</script>" in str(text)
    assert "default-src 'none'" in page


def test_many_parts_give_way_to_their_sums(tmp_path, monkeypatch):
    told = many_parts(monkeypatch, long_match(tmp_path), 6)
    rows = re.findall(r'<tr class="(\w*)">', sheet.write(told))
    assert rows.count("part") == 6
    assert rows.count("") == len(GAME.scoring.CATEGORIES)  # of the whole match
    assert rows.count("in") == 0
    rows = re.findall(r'<tr class="(\w*)">', sheet.write(many_parts(monkeypatch, told, 2)))
    assert (rows.count("part"), rows.count("in")) == (2, 2 * len(GAME.scoring.CATEGORIES))


async def pages_of(sheets):
    """Return how many pages each of some HTML texts takes on each paper."""
    counts = {}
    async with chromium() as page:
        await page.open("about:blank", width=800, height=1100)
        frame = (await page.call("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        for name, html in sheets.items():
            await page.call("Page.setDocumentContent", frameId=frame, html=html)
            for paper, (width, height) in PAPERS.items():
                pdf = await page.call("Page.printToPDF", paperWidth=width, paperHeight=height)
                found = re.findall(rb"/Type\s*/Page\b", base64.b64decode(pdf["data"]))
                counts[name, paper] = len(found)
        assert not page.errors
    return counts


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt install chromium-headless-shell")
def test_it_is_one_page(tmp_path, monkeypatch):
    told = long_match(tmp_path / "long")
    sheets = {
        "ruled": sheet.write(of_journal(ruled_match(tmp_path / "ruled"))),
        "long": sheet.write(told),
        "four seats": sheet.write(of_journal(recorded(tmp_path / "four", rulings=40))),
        "too long": "<p>" + "<br>".join(["line"] * 150),  # that pages are counted at all
    }
    for parts in (2, 40):
        sheets[f"{parts} parts"] = sheet.write(many_parts(monkeypatch, told, parts))
    four = "torres_master"
    text = (Path(__file__).parents[2] / f"matches/{four}.match").read_text("utf-8")
    full = account.read_match_file(matchfile.read(text), four)
    company = tuple(f"{name} of the long name" for name in full.header.names)
    evening = [played_at(n, names=company, points=(100,) * len(company)) for n in range(9)]
    sheets["evening"] = sheet.write(full, evening=evening)
    sheets["a board each"] = sheet.write(final("castles_of_tuscany_four")[1], evening=evening[:2])
    tallies = tuple(Tally(f"track_{n}", "SG-8.5", (n, 9)) for n in range(4))
    monkeypatch.setattr(GAME.scoring, "tallies", lambda state: tallies)
    sheets["tracks"] = sheet.write(many_parts(monkeypatch, told, 9))
    counts = asyncio.run(pages_of(sheets))
    assert len(counts) == len(sheets) * len(PAPERS)
    for (name, paper), pages in counts.items():
        assert (pages > 1) if name == "too long" else (pages == 1), (name, paper, pages)


def final(name):
    """The sheet of a recorded match, and its account."""
    text = (Path(__file__).parents[2] / f"matches/{name}.match").read_text("utf-8")
    told = account.read_match_file(matchfile.read(text), name)
    return Text(sheet.write(told)), told


def test_the_final_board_is_drawn_with_its_heights_and_pieces():
    page, told = final("torres_two")
    sight = next(iter(told.match.game.in_sight(told.match.state).values()))
    board = sight.board(told.match.state)
    assert page.tags.count("rect") == len(board.cells)
    assert page.tags.count("circle") == sum(bool(cell.piece) for cell in board.cells)
    drawn = str(page).split("Total")[1].split("Table")[0].split()
    heights = sorted(str(cell.height) for cell in board.cells if cell.height)
    names = [*"abcdefgh", *"12345678"]
    pieces = ["K", *"AAAAAA"[: sum(cell.piece == "a" for cell in board.cells)]]
    pieces += ["W"] * sum(cell.piece == "b" for cell in board.cells)
    points = [str(total) for total in told.rows[-1].totals]
    assert sorted(drawn) == sorted([*points, *heights, *names, *pieces])


def test_grounds_are_drawn_by_their_letters_and_what_lies_there_apart():
    cells = (Cell(0, "", "m"), Cell(0, "m", "m"), Cell(0, "w", "m"), None)
    drawn = draw_board(Board(2, 2, cells, BoardShape.HEXES), {"w": "W"}.__getitem__)
    assert [drawn.count(f">{letter}</text>") for letter in "MW"] == [3, 1]
    assert (drawn.count("<circle"), drawn.count("rgb(170"), drawn.count("rgb(255")) == (1, 1, 2)


def test_what_lies_on_the_table_is_told_and_a_game_without_a_board_has_no_picture():
    page, _ = final("two_deals")
    assert "draw_board" not in page.tags
    assert "Table Market: 5. Deck: 11 × unseen, 5 Orso Tower: 8, 7, 6, 5 (completed) / 3 × 6" in str(page)
    assert "Pia Highest marker: marker. Hand: 2 × unseen. Tower: 5 × 7 / 3 × 8" in str(page)


def test_kana_and_kanji_take_two_letters_room_and_are_joined_as_they_are():
    told = final("castles_of_tuscany_two")[1]
    names = ("アドソ", "ウィリアム")
    told = replace(told, header=replace(told.header, names=names))
    page = sheet.write(told, "ja", [played_at(n, names=names) for n in (0, 1)])
    assert re.findall(r'<dd class="long">1位 .*?</dd>', page)
    assert "アドソ 20、ウィリアム 14" in page


EVENING = 1_700_000_000_000


def played_at(hours, game="torres", names=("Adso", "William"), winners=(0,), **more):
    fields = {"over": True, "abandoned": False, "simulated": False, "points": (20, 14)} | more
    began = EVENING + int(hours * 3_600_000)
    return MatchResult("", began, game, names, winners=winners, **fields)


def test_the_matches_of_the_evening_stand_on_it(tmp_path):
    told = of_journal(ruled_match(tmp_path))
    first, second = played_at(0), played_at(1.5, "san_gimignano", over=False)
    text = str(Text(sheet.write(told, evening=[first, second])))
    assert (
        "This evening 22:13 Torres: Adso 20, William 14 23:43 San Gimignano: Adso 20, William 14 (Not" in text
    )
    assert "Won: Adso 1, William 0" in text
    assert "This evening" not in str(Text(sheet.write(told, evening=[first])))
    assert "This evening" not in str(Text(sheet.write(told)))


def test_an_evening_is_of_the_same_players_until_the_small_hours(zone):
    this = played_at(1)
    late = played_at(3, names=("william", "Adso"))
    others = [
        late,
        played_at(9),  # the next morning
        played_at(2, names=("Adso", "Ubertino")),
        played_at(2.5, simulated=True),
        played_at(-17),  # the evening before
    ]
    assert find_together(this, others) == [this, late]
    assert find_together(this, [played_at(1, points=(1, 2))]) == [this]  # a copy of the same
    zone("Asia/Tokyo")  # there it is seven in the morning
    assert find_together(played_at(0), [played_at(9)]) == [played_at(0), played_at(9)]
