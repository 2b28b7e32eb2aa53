from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from device.screen.pixels.fit import ELLIPSIS, balance, cut, shorten_names, split_phrases, unwrap, wrap
from device.screen.pixels.fonts import SMALL, load_font, tidy

FONT = load_font(SMALL)
texts = st.text(st.sampled_from("aB3×–é塔のー、。「 .\n"), max_size=80)
widths = st.integers(12, 130)


@given(texts, widths)
def test_cut_text_fits_and_keeps_its_start(text: str, width: int) -> None:
    short = cut(text, FONT, width)
    assert FONT.measure(short) <= width
    assert tidy(text).startswith(short.removesuffix(ELLIPSIS))


@given(texts, widths)
@example("33ー", 12)
def test_wrapped_text_fits_and_loses_nothing(text: str, width: int) -> None:
    for lines in (wrap(text, FONT, width), balance(text, FONT, width)):
        assert all(FONT.measure(line.rstrip("、。") or line[:1]) <= width for line in lines)
        assert "".join("".join(lines).split()) == "".join(tidy(text).split())


def test_names_are_whole_where_they_fit_else_told_apart() -> None:
    names = ("Maximilian", "Matteo", "Theodora")
    assert shorten_names(names, FONT, 60) == names
    assert shorten_names(names, FONT, 59) == ("Max", "Matteo", "Theodora")
    assert shorten_names(names, FONT, 18) == ("Max", "Mat", "The")
    assert shorten_names(("Anna", "Ben"), FONT, 6) == ("A", "B")
    alike = ("Benedetta", "Benedettina", "Guglielmo", "Guglielma")
    assert shorten_names(alike, FONT, 18) == ("Ba", "Bi", "Go", "Ga")
    assert shorten_names(("Max", "Maximilian"), FONT, 18) == ("Max", "Mi")
    assert shorten_names(("Maximilian", "Maximilian"), FONT, 18) == ("a", "b")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("手札6枚。2枚取ると上限7枚を超えます。", ("手札6枚。2枚取ると", "上限7枚を超えます。")),
        ("費用はオレンジ2枚です。手札1枚。", ("費用は", "オレンジ2枚です。", "手札1枚。")),
        (
            "アドソが7×3を崩します。5で無効にできます。",
            ("アドソが7×3を", "崩します。5で", "無効にできます。"),
        ),
        ("完成した塔が4つ必要、今は3です。", ("完成した塔が4つ必要、", "今は3です。")),
        ("人が「別の札を。」と言う", ("人が「別の札を。」と", "言う")),
        ("サン・ジミニャーノの塔", ("サン・ジミニャーノの", "塔")),
        ("終了フェーズでは、どちらの山札も", ("終了フェーズでは、", "どちらの山札も")),
        ("使えるものがありません。", ("使えるものが", "ありません。")),
        ("ここでつながりますから数えるはずです。", ("ここでつながりますか", "ら数えるはずです。")),
        ("何も変わっていません: ない。", ("何も", "変わっていません:", "ない。")),
        ("あいうえおかきくけこさしすせそ", ("あいうえおかきくけこ", "さしすせそ")),
    ],
)
def test_japanese_is_broken_between_phrases(text: str, lines: tuple[str, ...]) -> None:
    assert wrap(text, FONT, 123) == lines


@given(st.text(st.sampled_from("塔札のをっー、。」（「5aイ"), max_size=30))
def test_no_line_of_japanese_begins_or_ends_with_a_sign_that_must_not(text: str) -> None:
    parts = split_phrases(text)
    assert "".join(parts) == text
    for before, after in pairwise(parts):
        assert after[0] not in "のをっー、。」" or before[-1] not in "塔札イ5a"
        assert before[-1] not in "（「" or after[0] in "、。」"


def test_lines_of_japanese_become_one_again_as_they_were() -> None:
    text = "Amira: 水1、デーツ1を取る。"
    assert unwrap(wrap(text, FONT, 60)) == unwrap(wrap(text, FONT, 40)) == text
    assert unwrap(("Hold to", "end")) == "Hold to end"
