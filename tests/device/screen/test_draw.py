"""Golden pictures: ``PODESTA_GOLDEN=write pytest tests/device/screen`` draws them anew; look at them then."""

import re
from itertools import cycle, islice
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image, ImageChops

from device.screen import (
    CountsPage,
    CropPage,
    GridPage,
    HeaderMark,
    HeaderWords,
    ListPage,
    NoticePage,
    Page,
    PageHeader,
    QrPage,
    Sign,
    TablePage,
    TextPage,
    WheelPage,
    text_lines,
)
from device.screen.pixels import beside, draw, fonts, pages_of
from device.screen.pixels.canvas import HEIGHT, SHIFT, TOP, WIDTH
from device.screen.pixels.fonts import SMALL
from device.texts import Texts
from engines.board import KING, Board, BoardShape, Cell, blank
from engines.rules import spoken
from tests.device.screen.golden import looks_like

GOLDEN = Path(__file__).parent / "golden"

ANNA = PageHeader("Anna", "A12 B9 C7 D15")
UNSAVED = PageHeader("Anna", "A12 B9 C7 D15", HeaderMark.SAVING)
ITEMS = ("a1 on 3", "b2 on 1", "c3 ground", "d4 ground", "e5 on 2", "f6", "not listed…")
CUBES = ("red", "blue", "yel", "grn", "wht")
WHY = (
    "Torres 4.2: a castle may not be taller than its ground area. "
    "Castle B covers 3 fields and would be 4 high. Nearest legal: a4."
)
FOUR = TablePage(
    PageHeader("Final"),
    ("Anna", "Ben", "Cleo", "Dan"),
    (
        ("Castle", "12", "103", "7", "8"),
        ("King's bonus", "5", "0", "10", "0"),
        ("Cards", "1", "2", "3", "4"),
        ("Steps", "1", "2", "3", "4"),
    ),
    ("213", "187", "201", "99"),
)
TWO = TablePage(
    PageHeader("Final"),
    ("Anna", "Benedikt"),
    (("Castles", "12", "103"), ("King's bonus", "5", "0"), ("Cards", "1", "2")),
    ("213", "187"),
)
RANKED = "1. Anna 57\n2. Benedikt 57\ntied at 57; Anna holds the marker (SG-7.2)"


def stand(heights: str, **pieces: str) -> Board:
    """A board by its heights, row by row (``A`` is 10), and what stands on named cells."""
    rows = heights.split("/")
    flat = [int(height, 16) for height in "".join(rows).replace(".", "0")]
    board = Board(len(rows[0]), len(rows), tuple(Cell(height) for height in flat))
    cells = tuple(
        Cell(cell.height, pieces.get(board.name(place), "")) for place, cell in enumerate(board.cells)
    )
    return Board(board.columns, board.rows, cells)


BOARD = stand(
    "....12../.31...../.21...../....4.13/....1.2C/...1..../1.A..1../2CB..1..",
    b3="a",
    c4="b",
    d5="a",
    e5="a",
    f5=KING,
    g4="c",
    h5="d",
    a8="b",
    b8="a",
)


def region(rows: str, shape: BoardShape = BoardShape.HEXES, **cells: Cell) -> Board:
    """Hexes, row by row, ``_`` where there is none, and what stands on named ones."""
    lines = rows.split("/")
    there = [None if sign == "_" else Cell() for sign in "".join(lines)]
    board = Board(len(lines[0]), len(lines), tuple(there), shape)
    found = tuple(cells.get(board.name(place), cell) for place, cell in enumerate(board.cells))
    return Board(board.columns, board.rows, found, shape)


REGION = region(
    "_...._/....../....../....../_...../__..._",
    b2=Cell(1),
    c2=Cell(1),
    c3=Cell(0, "a"),
    d4=Cell(2, "b"),
)
"""Thirty hexes, as a player's region of three boards has."""
HEXES = tuple(REGION.place(cell) for cell in ("b1", "d2", "c3", "d4", "e5", "c6"))


def grounds(rows: str, shape: BoardShape = BoardShape.HEXES) -> Board:
    """Hexes with letters on their grounds, ``_`` for none; a capital is covered, ``C*`` by another."""
    lines = [[*re.findall(r"[_a-zA-Z]\*?", row)] for row in rows.split("/")]
    cells = tuple(
        None
        if sign == "_"
        else Cell(0, "w" if "*" in sign else sign[0].lower() * sign.isupper(), sign[0].lower())
        for sign in (sign for line in lines for sign in line)
    )
    return Board(len(lines[0]), len(lines), cells, shape)


HALF = grounds("__cTIfQ/__VmrCF/_TIF*qV_/_F*M*R*ct_/TIfQ*v__/mR*C*TI__", BoardShape.HEXES_ODD)
TALL = grounds("_cTi_/FqVM_/_rC*f_/_TiF_/_qVfM/__rCt/_FqV_/_vmTi/__qC*i")


def placing(board: Board, *cells: str, **page: object) -> GridPage:
    """Return where to place a tile; the cursor is on the first of these cells, the others are legal."""
    items = (*(f"Place {cell}" for cell in cells), "not listed…", "legend")
    places = (*map(board.place, cells), -1, -1)
    return GridPage(
        **{"header": ANNA, "prompt": "Where?", "board": board, "items": items, "places": places, **page}
    )


LEGAL = (
    *("b1", "a2", "c2", "d2", "e2", "f2", "b3", "h3", "d5", "e5"),
    *("g5", "c6", "d6", "e6", "b7", "d7", "f7", "b8", "e8", "f8"),
)
WORDS = ("Score steps: 3", "End, sort stacks", "Card, rest on top", "Play a card", "End the turn", "…")


VERBS = ("Purchase", "Exchange", "Build", "Close a tower", "Pass")
NEWS = "Mara's left pile is empty: round 1 ends after Anna's turn."
TOLD = "Mara: exchanges 7, 9 for a 10. Refill the market: 2 cards."


def choosing(where: str, words: tuple[str, ...] = ("…",), **page: object) -> GridPage:
    """A question about :data:`BOARD` with the cursor on a cell or a word."""
    verb = page.pop("verb", "")
    cells = [BOARD.place(cell) for cell in LEGAL]
    items = [f"{verb} {cell}".strip() for cell in LEGAL]
    at = LEGAL.index(where) if where in LEGAL else len(LEGAL) + words.index(where)
    values = {"header": ANNA, "prompt": "Your action? 5 left", **page}
    return GridPage(
        board=BOARD,
        items=(*items, *words),
        places=(*cells, *[-1] * len(words)),
        index=at,
        **values,
    )


CROP = (Path(__file__).parent / "crop.png").read_bytes()
"""A block with a knight beside a tower with another: a piece of a painted picture."""

PAGES: dict[str, Page] = {
    "crop": CropPage(
        PageHeader("Sensor", "A12 B9 C7"), "c2: which?", CROP, ("blue on 1", "blue on 2", "neither"), 1
    ),
    "crop_unreadable": CropPage(PageHeader("Sensor"), "c2: which?", b"\x89PNG", ("1", "2", "neither")),
    "grid_piece": choosing("e5", verb="Knight", about=("▲1", "Anna")),
    "grid_corner": choosing("f8", verb="Block", about=("▲1",), words=WORDS),
    "grid_begun": choosing(
        "b8",
        about=("▲12", "Benedikt"),
        prompt="d5: move where?",
        header=PageHeader("Benedikt: Knight", "B99", HeaderMark.RECORDED, True, "line"),
    ),
    "grid_words_as_list": choosing("Play a card", WORDS),
    "grid_hexes": GridPage(ANNA, "Place it where?", REGION, ("b1", "d2", "c3", "d4", "e5", "c6"), HEXES, 1),
    "grid_grounds_half": placing(HALF, "c4", "c1", "f1", "d2", "e4", "c5", about=("monastery", "wild hex")),
    "grid_grounds_unnamed": GridPage(
        PageHeader(), "Board A2 2/4", grounds("ct/__"), ("castle", "town"), (1, 1), 1, named=False
    ),
    "grid_grounds_legend": placing(HALF, "c1", "f1", index=3),
    "grid_grounds_tall": placing(TALL, "b8", "b1", "d3", about=("village",)),
    "grid_grounds_differ": GridPage(
        PageHeader("Sensor", "", HeaderMark.REFUSED),
        "Does not fit:",
        HALF,
        about=("+Qg1", "-Vc2"),
        signs=tuple(
            (HALF.place(cell), sign)
            for cell, sign in (
                ("g1", Sign.EXTRA),
                ("c2", Sign.MISSING),
                ("d3", Sign.BOTH),
                ("c6", Sign.ASKED),
            )
        ),
    ),
    "grid_asked": GridPage(
        PageHeader("Sensor"),
        "c3: 1 or 2?",
        BOARD,
        ("1", "2", "neither"),
        (-1, -1, -1),
        1,
        signs=((BOARD.place("c3"), Sign.ASKED),),
    ),
    "list_middle": ListPage(
        PageHeader("Anna", "A12 B9 C7 D15", HeaderMark.RECORDED), "Build where?", ITEMS, 2
    ),
    "list_long": ListPage(
        PageHeader("Ben", "B207", HeaderMark.RECORDED, True, "line"),
        "Which card?",
        ("Move a knight from one castle to another", "Take a block", "Pass"),
        0,
    ),
    "list_unknown_characters": ListPage(
        PageHeader("Cleo 日本", "C8 A11", HeaderMark.FAILED, warning="disk"),
        "Farbe wählen – 日本",
        ("Größe × 3", "Podestà è ü ñ", "ก ☃"),
        1,
    ),
    "list_grey_cursor": ListPage(ANNA, "Your action?", VERBS, 3, (0, 3)),
    "list_told": ListPage(
        PageHeader("Tom", "M16 T0"), "Your action?", VERBS, 2, (0,), "Mara takes the marker"
    ),
    "list_told_most": ListPage(PageHeader("Tom", "M16 T0"), "Your action?", VERBS, 0, (0,), TOLD),
    "grid_told": choosing("Play a card", WORDS, told=TOLD, grey=(len(LEGAL) + 3,)),
    "wheel_middle": WheelPage(ANNA, "How many blocks?", tuple("0123456789"), 4),
    "counts_editing": CountsPage(ANNA, "What fell out?", CUBES, (2, 0, 1, 0, 3), 1, True),
    "counts_capped": CountsPage(ANNA, "What do you pay?", CUBES[:3], (2, 0, 1), 4, caps=(3, 1, 1)),
    "text_1": TextPage(PageHeader("Why not?", "A12 B9 C7 D15", HeaderMark.REFUSED), WHY, 0),
    "text_until_ok": TextPage(ANNA, NEWS, 0, True),
    "text_simulated": TextPage(PageHeader("Help", "", simulated=True, warning="camera"), WHY * 5, 99),
    "table_four_totals": FOUR,
    "table_two_totals": TWO,
    "table_note": TablePage(TWO.header, TWO.columns, TWO.rows, TWO.totals, 1, RANKED),
    "qr": QrPage(PageHeader("", simulated=True), "http://podesta:8080/"),
    "notice": NoticePage(PageHeader("Anna", "A12 B9 C7 D15", HeaderMark.RECORDED), "Recorded"),
    "notice_holding": NoticePage(ANNA, "Undo: Anna builds at m6", fraction=0.3),
    "notice_urgent": NoticePage(
        PageHeader("Anna", "A12 B9 C7 D15", HeaderMark.FAILED, True, "disk"),
        "The disk is full: nothing is being recorded. Stop and call.",
        True,
    ),
    "notice_long": NoticePage(ANNA, WHY.partition(". ")[0]),
    "list_sample": ListPage(replace(ANNA, left="Maximilian wins", sample=True), "", ITEMS, 0),
    "list_four_scores": ListPage(
        PageHeader("Player B", "A116 B98 C104 D125", HeaderMark.RECORDED, True, sample=True, own="B98"),
        "Your action?",
        VERBS,
        1,
    ),
    "list_three_scores": ListPage(
        PageHeader("William", "Green A36 W98 M104", HeaderMark.RECORDED, True, own="W98"), "", ITEMS, 0
    ),
    "saving_board": choosing("e5", verb="Knight", about=("▲1", "Anna"), header=UNSAVED),
    "saving_marked": NoticePage(
        replace(UNSAVED, simulated=True, sample=True, warning="line"), "The knob sticks.", True
    ),
}


JA = Texts.load("ja", "torres")
ADSO = PageHeader("アドソ", "ア12 ウ9", HeaderMark.RECORDED)
PAGES |= {
    "ja_verbs": ListPage(
        ADSO,
        JA("question.action", left=5, blocks=3),
        tuple(map(JA, JA.under("verb"))),
        1,
        grey=(3,),
        told="騎士c3→d3、1AP。",
        spoken=True,
    ),
    "ja_refusal": TextPage(
        ADSO,
        JA.sentences([JA("refused.block.height", cell="d4", height=4, area=3), JA("remedy.block.height")]),
    ),
    "ja_rule": TextPage(PageHeader(JA("rules.title")), spoken("torres", JA).clause("TO-3.10").text),
    "ja_wheel": WheelPage(
        ADSO, JA("question.leave"), ("1", "2", "3"), 1, told=JA("hands_of_all.round", n=2, all=4)
    ),
    "ja_counts": CountsPage(
        ADSO, "何個？", ("青緑", "緑", "ベージュ", "灰"), (1, 0, 2, 3), 2, more="さらに", done="以上"
    ),
    "ja_notice": NoticePage(ADSO, JA("consent.not_all"), urgent=True),
    "ja_scores": TablePage(
        PageHeader(JA("play.scores")),
        ("アドソ", "ウィリアム"),
        (("城", "12", "103"), ("上級カード", "5", "0")),
        ("63", "66"),
    ),
    "ja_saving": ListPage(
        replace(ADSO, mark=HeaderMark.SAVING, words=HeaderWords(JA("lost.saving"))),
        JA("question.card"),
        ("ジャンプ", "斜め移動"),
        0,
    ),
}


SEEN = PageHeader(JA("reading.title"), "ア12 ウ9 フ7", HeaderMark.REFUSED)
TUSCANY = Texts.load("ja", "castles_of_tuscany")
MARKED = HeaderWords(JA("lost.saving"), *(JA(f"stamp.{one}") for one in ("simulated", "sample") * 2))
MARKED = replace(MARKED, stamp_both=JA("stamp.both"))
STAMPED = replace(ADSO, words=MARKED)
PAGES |= {
    "ja_crop": CropPage(
        SEEN,
        JA("grid.which", cell="c2"),
        CROP,
        (f"{JA('camera.colours.blue')} ▲1", f"{JA('camera.colours.red')} ▲2", JA("grid.neither")),
        1,
    ),
    "ja_grid": choosing(
        "e5", verb=JA("verb.knight"), about=("▲1", "アドソ"), header=ADSO, prompt=JA("question.to")
    ),
    "ja_grid_grounds": placing(
        HALF,
        "c4",
        "c1",
        "f1",
        "d2",
        about=(TUSCANY("kind.m"), TUSCANY("kind.w")),
        items=(*(f"{cell}" for cell in ("c4", "c1", "f1", "d2")), "…", JA("grid.legend")),
        header=ADSO,
        prompt=TUSCANY("question.first_castle"),
    ),
    "ja_notice_urgent": NoticePage(
        replace(STAMPED, mark=HeaderMark.FAILED, simulated=True, warning=JA("warning.disk")),
        JA("lost.full"),
        True,
    ),
}


@pytest.mark.parametrize("name", PAGES)
def test_looks_like_its_golden_picture(name: str) -> None:
    looks_like(PAGES[name], GOLDEN / f"{name}.png")


def test_there_is_no_golden_picture_too_many() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == set(PAGES)


KINDS = {type(page).__name__: page for page in PAGES.values()}
"""A page of each kind."""


@pytest.mark.parametrize("page", KINDS.values(), ids=KINDS)
def test_shifting_moves_the_picture_and_clips_nothing(page: Page) -> None:
    still = draw(page)
    assert still.crop((WIDTH, 0, 128, 64)).getbbox() is None
    assert still.crop((0, HEIGHT, 128, 64)).getbbox() is None
    for x in range(SHIFT + 1):
        for y in range(SHIFT + 1):
            moved = Image.new("1", (128, 64))
            moved.paste(still.crop((0, 0, WIDTH, HEIGHT)), (x, y))
            assert draw(page, (x, y)).tobytes() == moved.tobytes()


words = st.text(st.sampled_from("aMg3×é塔の。「ー …"), max_size=30)
figures = st.integers(-99, 999).map(str)
headers = st.builds(
    PageHeader,
    words,
    words,
    st.sampled_from(HeaderMark),
    st.booleans(),
    st.sampled_from(["", "line", "a" * 30]),
)
indices = st.integers(-3, 40)
some = st.sets(st.integers(0, 12)).map(tuple)
tellings = st.sampled_from(["", TOLD]) | st.text(st.sampled_from("aMg3é …"), max_size=90)
boards = st.builds(
    lambda columns, rows, some, shape: Board(
        columns, rows, tuple(islice(cycle(some), columns * rows)), shape
    ),
    st.integers(1, 9),
    st.integers(1, 9),
    st.lists(
        st.builds(
            Cell,
            st.integers(0, 14),
            st.sampled_from(["", "a", "d", KING, "?"]),
            st.sampled_from(["", "a", "m", "?"]),
        ),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from(BoardShape),
)


def on_board(board: Board) -> st.SearchStrategy[Page]:
    """Pages about a board, some without items."""
    last = len(board.cells) - 1
    return st.lists(st.tuples(words, st.integers(-1, last)), max_size=12).flatmap(
        lambda items: st.builds(
            GridPage,
            headers,
            words,
            st.just(board),
            st.just(tuple(item for item, _ in items)),
            st.just(tuple(place for _, place in items)),
            st.integers(0, max(0, len(items) - 1)),
            st.lists(words, max_size=6).map(tuple),
            st.lists(st.tuples(st.integers(0, last), st.sampled_from(Sign)), max_size=5).map(tuple),
            grey=some,
            told=tellings,
        )
    )


pages = st.one_of(
    st.builds(ListPage, headers, words, st.lists(words, max_size=12).map(tuple), indices, some, tellings),
    st.builds(WheelPage, headers, words, st.lists(words, max_size=12).map(tuple), indices),
    st.lists(st.tuples(words, st.integers(0, 999)), max_size=20).flatmap(
        lambda cells: st.builds(
            CountsPage,
            headers,
            words,
            st.just(tuple(label for label, _ in cells)),
            st.just(tuple(count for _, count in cells)),
            indices,
            st.booleans(),
            st.sampled_from([(), (5,) * len(cells)]),
        )
    ),
    st.builds(TextPage, headers, st.text(max_size=200), indices),
    st.integers(0, 6).flatmap(
        lambda n: st.builds(
            TablePage,
            headers,
            st.tuples(*[words] * n),
            st.lists(st.tuples(words, *[figures] * n), max_size=9).map(tuple),
            st.one_of(st.just(()), st.tuples(*[figures] * n)),
            indices,
        )
    ),
    boards.flatmap(on_board),
    st.builds(NoticePage, headers, words | st.just(WHY), st.booleans(), st.floats(-1, 2)),
)


def inked(face: fonts.Font, text: str) -> int:
    """The width of a text, px; of a closing mark at its end the ink counts alone, which may hang."""
    last = face.glyph(text[-1]).getbbox() if text[-1] in "。、」）" else None
    return face.measure(text[:-1]) + last[2] if last else face.measure(text)


@given(pages)
@example(GridPage(PageHeader(), "3" * 21, Board(9, 7, (Cell(0),) * 63), ("",), (0,), 0))
@settings(max_examples=2 * settings.default.max_examples)
def test_every_page_is_drawn_with_all_its_writing_on_the_canvas(page: Page) -> None:
    whole = fonts.Font.write

    def watched(self: fonts.Font, image: Image.Image, x: int, y: int, text: str, *ink: int) -> int:
        if text:
            assert x >= 0
            assert x + inked(self, text) <= WIDTH, f"{text!r} at {x} goes over the edge"
            assert -1 <= y <= HEIGHT - self.height, f"{text!r} at line {y}"
        return whole(self, image, x, y, text, *ink)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fonts.Font, "write", watched)
        draw(page)
    assert pages_of(page) >= 1


def test_texts_and_tables_count_their_pages() -> None:
    assert pages_of(TextPage(ANNA, "")) == 1
    assert pages_of(TextPage(ANNA, "\n".join("abcd"))) == 1
    assert pages_of(TextPage(ANNA, "\n".join("abcde"))) == 2
    assert pages_of(FOUR) == 3
    assert pages_of(TablePage(ANNA, ("A",), (("x", "1"),) * 3)) == 1
    assert pages_of(TablePage(ANNA, ("A",), (("x", "1"),) * 4)) == 2
    assert pages_of(TablePage(ANNA, ("A",), (), ("7",))) == 1
    assert pages_of(PAGES["list_middle"]) == 1
    assert (pages_of(PAGES["notice_long"]), pages_of(NoticePage(ANNA, WHY))) == (1, 2)


def test_an_item_without_a_place_is_a_word() -> None:
    for index, cursor, word in ((0, 0, 0), (1, 3, 0), (2, -1, 0), (3, -1, 1)):
        page = GridPage(ANNA, "?", blank(2, 2), ("a1", "b2", "no", "none"), (0, 3, -1, -1), index)
        assert (page.words, page.cursor) == (("no", "none"), cursor)
        assert index < 2 or page.word == word


def test_what_is_told_counts_a_page_where_it_leaves_no_room_for_the_question_and_the_item() -> None:
    long = "Move a knight from one castle to another"
    short = "Mara: exchanges 7, 9 for a 10."
    assert pages_of(ListPage(ANNA, "Your action?", VERBS, 0, (), TOLD)) == 2
    assert pages_of(ListPage(ANNA, "", VERBS, 0, (), TOLD)) == 1
    assert pages_of(ListPage(ANNA, "Your action?", VERBS, 0, (), TOLD, spoken=True)) == 1
    assert pages_of(ListPage(ANNA, "Your action?", (*VERBS, long), 0, (), short)) == 1
    assert pages_of(ListPage(ANNA, "Your action?", (*VERBS, long), len(VERBS), (), short)) == 2
    assert pages_of(choosing("b1", told="Ben: block at a1")) == 2
    assert pages_of(choosing("Play a card", WORDS, told="Ben: block at a1")) == 1


def test_an_item_that_cannot_be_chosen_looks_otherwise_with_the_cursor_and_without() -> None:
    looks = {body(ListPage(ANNA, "", VERBS, at, grey)) for at in (0, 3) for grey in ((), (3,))}
    assert len(looks) == 4
    assert len({body(choosing("End", ("End", "…"), grey=grey)) for grey in ((), (len(LEGAL),))}) == 2


def test_a_text_that_stays_until_ok_has_room_to_say_so() -> None:
    """No letter lies under the sign, however full the last line is."""
    for letters in range(1, 90):
        text = " ".join(["abcdef"] * letters)
        page = TextPage(ANNA, text, 99, True)
        last = pages_of(page) - 1
        bare, signed = (draw(TextPage(ANNA, text, last, ok)) for ok in (False, True))
        corner = (WIDTH - 16, HEIGHT - 12, WIDTH, HEIGHT)
        assert lit(signed, corner) > 0.4
        if pages_of(TextPage(ANNA, text)) == last + 1:
            assert lit(bare, corner) == 0


def body(page: Page) -> bytes:
    return draw(page).crop((0, TOP, 128, 64)).tobytes()


def test_pages_of_a_text_show_all_of_it_once() -> None:
    lines = tuple(f"line {number}" for number in range(10))
    text = "\n".join(lines)
    for number in range(3):
        here = "\n".join(lines[4 * number : 4 * number + 4])
        assert body(TextPage(ANNA, text, number)) == body(TextPage(ANNA, here))


@pytest.mark.parametrize("name", [name for name in PAGES if "qr" not in name])  # it tells nothing of a match
def test_what_is_not_on_the_disk_is_never_taken_for_kept(name: str) -> None:
    """Whatever the page, seen from afar too: no score, a lit bar, and no large figure whole."""
    page = PAGES[name]
    kept = draw(replace(page, header=replace(page.header, mark=HeaderMark.RECORDED)))
    unsaved = draw(replace(page, header=replace(page.header, mark=HeaderMark.SAVING)))
    others = draw(
        replace(page, header=replace(page.header, left="Cleo", right="A1 B2", mark=HeaderMark.SAVING))
    )
    bar, turn, below = (0, 0, WIDTH, SMALL), (0, 0, WIDTH // 2, SMALL), (0, SMALL, WIDTH, HEIGHT)
    assert unsaved.crop(bar).tobytes() == others.crop(bar).tobytes()
    assert lit(unsaved, turn) > 0.7
    assert lit(kept, turn) < 0.6
    assert lit(unsaved, below) < 0.85 * lit(kept, below)


def lit(image: Image.Image, area: tuple[int, int, int, int]) -> float:
    """The part of an area's dots that are lit."""
    dots = image.crop(area).convert("L").tobytes()
    return sum(map(bool, dots)) / len(dots)


def test_what_can_be_chosen_looks_different_on_every_kind_of_cell() -> None:
    """Empty, with a height, with a piece, with both, and with a height of two figures."""
    for cell in (Cell(), Cell(1), Cell(0, "a"), Cell(1, "a"), Cell(12), Cell(12, KING)):
        board = Board(2, 1, (cell, Cell()))
        can = GridPage(ANNA, "?", board, ("a1", "x"), (0, -1), 1)
        cannot = GridPage(ANNA, "?", board, ("b1", "x"), (1, -1), 1)
        assert (
            draw(can).crop((0, TOP, 27, HEIGHT)).tobytes()
            != draw(cannot).crop((0, TOP, 27, HEIGHT)).tobytes()
        )


def test_remarks_without_room_are_counted_in_the_words_of_the_page() -> None:
    page = GridPage(PageHeader("Sensor"), "?", BOARD, about=("+Bd8",) * 9, more="{n} more")
    written = {draw(replace(page, more=more)).tobytes() for more in ("{n} more", "7 more", "ほか{n}")}
    assert len(written) == 2


def test_every_height_and_piece_has_a_look_of_its_own() -> None:
    cells = [Cell(height, piece) for height in range(14) for piece in ("", "a", "b", "c", "d", KING)]
    pictures = {draw(GridPage(ANNA, "?", Board(1, 1, (cell,)))).tobytes() for cell in cells}
    assert len(pictures) == len(cells)


@pytest.mark.parametrize(("board", "most"), [(HALF, 0), (TALL, 5)])
def test_the_frame_of_the_cursor_leaves_the_letters_around_it_whole(board: Board, most: int) -> None:
    """Of nine rows, which stand closer, but for the corners."""

    def letter(at: int, drawn: Image.Image) -> Image.Image:
        x, y = beside._find_corner(board, at)
        return drawn.crop((x + 1, y + 1, x + 6, y + 6))

    away = draw(GridPage(ANNA, "?", board, ("x",), (-1,)))
    for place in (place for place, cell in enumerate(board.cells) if cell):
        here = draw(GridPage(ANNA, "?", board, ("x",), (place,)))
        assert here.tobytes() != away.tobytes()
        for at in board.beside(place):
            changed = ImageChops.logical_xor(letter(at, here), letter(at, away))
            assert changed.histogram()[255] <= most


def top_line(left: str, right: str = "", **more: object) -> bytes:
    page = ListPage(PageHeader(left, right, HeaderMark.RECORDED, **more), "", ("x",), 0)
    return draw(page).crop((0, 0, 128, 12)).tobytes()


@given(st.lists(st.integers(0, 399), min_size=2, max_size=4), st.sampled_from(["Ida", "Guglielmo", "W" * 12]))
def test_scores_are_whole_or_not_there_and_the_name_is_whole(scores: list[int], name: str) -> None:
    def top(*scores: int) -> bytes:
        return top_line(
            name, " ".join(f"{letter}{score}" for letter, score in zip("IGTW", scores, strict=False))
        )

    shown, bare = top(*scores), top_line(name)
    changes = []
    for seat, score in enumerate(scores):
        other = [*scores[:seat], score + 1 if score % 10 < 9 else score - 1, *scores[seat + 1 :]]
        changes.append(top(*other) != shown)
    assert all(changes) == any(changes) == (shown != bare)
    left = [
        Image.frombytes("1", (128, 12), data).crop((0, 0, 2 + 6 * len(name), 12)) for data in (shown, bare)
    ]
    assert left[0].tobytes() == left[1].tobytes()


def test_where_not_all_scores_have_room_that_of_who_is_asked_does() -> None:
    """Four players, and a name of fifteen letters; a page number takes its place."""
    scores = "A10 B10 C11 D12"
    assert top_line("W" * 15, scores, own="B10") == top_line("W" * 15, "B10")
    assert top_line("Player B", scores, own="B10") == top_line("Player B", scores)
    assert top_line("W" * 18, scores, own="B10") == top_line("W" * 18)
    text = TextPage(PageHeader("Player B", scores, own="B10"), "word " * 60)
    assert draw(text) == draw(TextPage(PageHeader("Player B"), "word " * 60))


@pytest.mark.parametrize(
    ("left", "right", "shown"),
    [
        ("Mara: exchanges 7, 9 for a 10", "M16 T0", "Mara: exchanges"),
        ("Mara: New knight at c6", "M16 T0", "Mara"),
        ("Maximilian: exchanges 7", "M16 T0 I12", "Maximilian"),
        ("Mara: Block", "M16 T0", "Mara: Block"),
    ],
)
def test_of_a_step_begun_the_verb_stays_or_the_name_alone(left: str, right: str, shown: str) -> None:
    assert top_line(left, right) == top_line(shown, right) != top_line(shown)


@given(pages)
@settings(max_examples=25)
def test_simulation_shows_on_every_page(page: Page) -> None:
    def top(simulated: bool) -> bytes:
        header = replace(page.header, simulated=simulated)
        return draw(replace(page, header=header)).crop((0, 0, 128, 11)).tobytes()

    assert top(True) != top(False)


@pytest.mark.parametrize("host", ["podesta", "192.168.178.20", "x" * 40])
def test_a_camera_reads_the_address(host):
    text = f"http://{host}:8080/"
    page = QrPage(PageHeader("The page"), text)
    image = draw(page).convert("L").resize((128 * 6, 64 * 6), Image.Resampling.NEAREST)
    found, *_ = cv2.QRCodeDetector().detectAndDecode(np.pad(np.asarray(image), 40))
    assert found == text
    assert pages_of(page) == 1
    assert text_lines(page)[-1] == f"[QR] {text}"
