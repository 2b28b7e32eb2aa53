from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from device.screen.pixels.fit import ELLIPSIS, balance, cut, shorten, wrap
from device.screen.pixels.fonts import SMALL, font, tidy

FONT = font(SMALL)
texts = st.text(st.sampled_from("aB3×–é塔 .\n"), max_size=80)
widths = st.integers(6, 130)


@given(texts, widths)
def test_shortened_text_fits_and_keeps_both_ends(text: str, width: int) -> None:
    short = shorten(text, FONT, width)
    assert FONT.measure(short) <= width
    if FONT.measure(text) <= width:
        assert short == tidy(text)
    else:
        head, _, tail = short.partition(ELLIPSIS)
        assert tidy(text).startswith(head)
        assert tidy(text).endswith(tail)


@given(texts, widths)
def test_cut_text_fits_and_keeps_its_start(text: str, width: int) -> None:
    short = cut(text, FONT, width)
    assert FONT.measure(short) <= width
    assert tidy(text).startswith(short.removesuffix(ELLIPSIS))


@given(texts, widths)
def test_wrapped_text_fits_and_loses_nothing(text: str, width: int) -> None:
    for lines in (wrap(text, FONT, width), balance(text, FONT, width)):
        assert all(FONT.measure(line) <= width for line in lines)
        assert "".join("".join(lines).split()) == "".join(tidy(text).split())


def test_figures_survive_shortening() -> None:
    assert shorten("Knight m6 to the castle at e5", FONT, 96) == "Knight…at e5"
    assert shorten("Offer 12 of 20 for tile 117", FONT, 90) == "Offer…ile 117"


def test_short_leftovers_of_words_go_but_short_words_stay() -> None:
    assert shorten("Rank of the next castle", FONT, 123) == "Rank of…castle"
    assert shorten("unbelievable", FONT, 24) == "un…e"
    assert shorten("Move a knight from one castle to another", FONT, 115) == "Move a…another"
    assert shorten("Tower at m6 or by the knight at a2", FONT, 141) == "Tower at m6…night at a2"


def test_words_stay_whole_where_they_can() -> None:
    assert wrap("a castle may not be taller", FONT, 60) == ("a castle", "may not be", "taller")
    assert wrap("unbelievable", FONT, 36) == ("unbeli", "evable")
    assert wrap("one\n\ntwo", FONT, 60) == ("one", "", "two")


def test_balanced_lines_leave_no_word_alone() -> None:
    assert wrap("Hold to end the match", FONT, 120) == ("Hold to end the", "match")
    assert balance("Hold to end the match", FONT, 120) == ("Hold to end", "the match")
