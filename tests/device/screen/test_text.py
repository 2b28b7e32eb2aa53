import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.screen import (
    WIDTH,
    CountsPage,
    GridPage,
    HeaderMark,
    HeaderWords,
    ListPage,
    NoticePage,
    Page,
    PageHeader,
    Sign,
    TablePage,
    TextPage,
    WheelPage,
    text_lines,
)
from engines.board import KING, Board, BoardShape, Cell
from engines.texts import plain

HEAD = PageHeader("Anna", "12 9")
BOARD = Board(3, 2, (Cell(), Cell(2), Cell(0, "a"), Cell(12, KING), Cell(), Cell(1)))
GROUNDS = Board(3, 1, (Cell(0, "", "c"), Cell(0, "fa", "f"), Cell(0, "w", "m")), BoardShape.HEXES)
PLACES = (0, 1, 3, -1, -1)
ITEMS = ("a1", "Block b1", "a2", "pass", "…")


def body(page: Page) -> list[str]:
    return list(text_lines(page)[2:])


def test_header_says_everything() -> None:
    page = NoticePage(PageHeader("Anna", "12 9", HeaderMark.FAILED, True, "line"), "x")
    assert text_lines(page)[0] == "Anna  12 9  !line  [SIMULATED]  ⚠"
    assert set(text_lines(page)[1]) == {"-"}


def test_what_is_not_on_the_disk_has_no_turn_and_no_score() -> None:
    page = NoticePage(PageHeader("Anna", "12 9", HeaderMark.SAVING, True), "x")
    assert text_lines(page)[0] == "[SAVING…]  [SIMULATED]"


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        (ListPage(HEAD, "Where?", ("a1", "b2"), 1), ["Where?", "  a1", "> b2"]),
        (
            ListPage(HEAD, "Your action?", ("Purchase", "Pass"), 0, (0,), "Ben: takes the marker"),
            ["| Ben: takes the marker", "Your action?", "> (Purchase)", "  Pass"],
        ),
        (WheelPage(HEAD, "How many?", ("1", "2", "3"), 1), ["How many?", "1 [2] 3"]),
        (
            CountsPage(HEAD, "Fell?", ("red", "blue"), (2, 0), 0, True),
            ["Fell?", "> red  [2]", "  blue  0", "  done (= 2)"],
        ),
        (CountsPage(HEAD, "", ("red",), (1,), 1), ["  red  1", "> done (= 1)"]),
        (CountsPage(HEAD, "", ("red",), (1,), 1, caps=(2,)), ["  red  1", "> more", "  done (= 1)"]),
        (
            GridPage(HEAD, "Where?", GROUNDS, ("a1", "c1"), (0, 2), 1, ("monastery", "wild hex")),
            ["Where?", "   a   b   c", "1 :C   F# [Mw]", "> c1  monastery  wild hex"],
        ),
        (
            GridPage(HEAD, "Where?", BOARD, ITEMS, PLACES, 1, ("▲2", "Anna")),
            [
                "Where?",
                "   a    b    c",
                "1 :.   [2]   a",
                "2 :12K  .    1",
                "pass · …",
                "> Block b1  ▲2  Anna",
            ],
        ),
        (
            GridPage(HEAD, "", BOARD, ITEMS, PLACES, 3),
            ["   a    b    c", "1 :.   :2    a", "2 :12K  .    1", "[pass] · …"],
        ),
        (
            GridPage(
                HEAD,
                "Does not fit:",
                BOARD,
                about=("+Ba1", "-ac1"),
                signs=((0, Sign.EXTRA), (2, Sign.MISSING)),
            ),
            ["Does not fit:", "   a    b    c", "1 +.    2   -a", "2  12K  .    1", "+Ba1", "-ac1"],
        ),
        (TextPage(HEAD, "one\n\ntwo", 7), ["one", "", "two"]),
        (TextPage(HEAD, "one", until_ok=True), ["one", "[OK]"]),
        (
            TablePage(HEAD, ("Anna", "Ben"), (("Castles", "12", "103"),), ("13", "200")),
            ["         Anna  Ben", "Castles    12  103", "=          13  200"],
        ),
        (
            TablePage(HEAD, ("Anna",), (("Castles", "12"),), ("13",), note="1. Anna 13\ntied at 13"),
            ["         Anna", "Castles    12", "=          13", "1. Anna 13", "tied at 13"],
        ),
        (NoticePage(HEAD, "Stop!", True), ["! Stop!"]),
        (NoticePage(HEAD, "Hold", fraction=0.5), ["* Hold", "[##########..........]"]),
    ],
)
def test_pages_as_lines(page: Page, lines: list[str]) -> None:
    assert body(page) == lines


@given(st.text(max_size=200).map(plain))
def test_texts_keep_to_the_width_and_lose_nothing(text: str) -> None:
    lines = body(TextPage(HEAD, text))
    assert all(len(line) <= WIDTH for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_a_name_of_somebody_elses_does_nothing_to_a_terminal():
    page = ListPage(PageHeader("Ad\x1b[2Jso"), "Which?", ("a\u202eb", "c\rd"), 0)
    text = "\n".join(text_lines(page))
    assert not set(text) & set("\x1b\u202e\r")
    assert "Ad\N{REPLACEMENT CHARACTER}[2Jso" in text


def test_marks_are_said_in_the_language_of_the_page():
    words = HeaderWords("保存中…", "模擬", "見本", "模擬", "見本", "模見")
    header = PageHeader("アドソ", "ア12", simulated=True, sample=True, words=words)
    assert text_lines(NoticePage(header, "x"))[0] == "アドソ  ア12  [模擬]  [見本]"
    assert [
        PageHeader(simulated=one, sample=two, words=words).stamp for one, two in ((1, 0), (0, 1), (0, 0))
    ] == [
        "模擬",
        "見本",
        "",
    ]
