import gzip
from importlib.resources import files

import pytest

from device.menus import fact_entries
from device.screen.pixels import fonts
from device.screen.pixels.fonts import LARGE, SMALL, Face, Font, Pcf, load_font
from device.texts import Texts


@pytest.mark.parametrize("height", [SMALL, LARGE])
def test_letters_players_need_are_there(height: int) -> None:
    face = load_font(height)
    assert face.height == height
    assert face.cell == height // 2
    missing = [char for char in "0123456789+−×–…·!?✓→ÀàèéüöäßñçøåŁžœ€½²" if char not in face]
    assert missing == []


@pytest.mark.parametrize("height", [SMALL, LARGE])
def test_every_sign_of_a_wheel_has_a_glyph_of_its_own(height: int) -> None:
    face = load_font(height)
    wheels = [Texts.load(language)("new.letters") for language in Texts.languages()]
    signs = {
        *"".join(wheels).replace(" ", "␣").replace("|", ""),
        *fact_entries.LETTERS.replace(" ", fact_entries.BLANK),
    }
    assert [sign for sign in signs if sign not in face] == []
    assert len({face.glyph(sign).tobytes() for sign in signs}) == len(signs)
    assert face.glyph("␣").tobytes() != face.glyph("☃").tobytes()


@pytest.mark.parametrize("height", [SMALL, LARGE])
def test_japanese_has_both_levels_and_names_their_common_form(height: int) -> None:
    face = load_font(height)
    assert [char for char in "ぁアー。「塔橙絨毯翔莉澤櫻熙〓" if char not in face] == []
    assert face.measure("塔の家") == 3 * height
    for name, common in zip("髙﨑德神", "高崎徳神", strict=True):
        assert face.glyph(name).tobytes() == face.glyph(common).tobytes()
    for char in ("𠮷", "😀", "한"):
        assert char not in face
        assert face.glyph(char).tobytes() == face.glyph("〓").tobytes()


def test_accents_are_composed_and_breaks_are_spaces() -> None:
    face = load_font(SMALL)
    assert face.measure("e\u0301") == face.cell
    assert fonts.tidy("a\nb\tc") == "a b c"


def test_a_file_is_read_when_a_character_needs_it() -> None:
    read = []

    def latin() -> Pcf:
        return Pcf(
            gzip.decompress((files("device.screen.pixels") / "fonts" / "ter-u12n.pcf.gz").read_bytes())
        )

    def other() -> Pcf:
        read.append("other")
        return latin()

    first = Face(latin, lambda char: ord(char) if char in {"A", "0"} else None)
    face = Font(first, Face(other, ord))
    assert face.glyph("A").tobytes() == load_font(SMALL).glyph("A").tobytes()
    assert not read
    assert face.glyph("B").tobytes() == load_font(SMALL).glyph("B").tobytes()
    assert read == ["other"]


def test_the_licence_is_beside_the_fonts() -> None:
    text = (files("device.screen.pixels") / "fonts" / "LICENSE-OFL.txt").read_text()
    assert "SIL OPEN FONT LICENSE Version 1.1" in text
    assert "Dimitar Toshkov Zhekov" in text
    text = (files("device.screen.pixels") / "fonts" / "LICENSE-shinonome.txt").read_text("utf-8")
    assert "Public Domain" in text
