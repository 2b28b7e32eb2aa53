"""The box's language and a page's: kept, changed at once, and never the end of an evening."""

import subprocess
import sys

import pytest

from device.screen import text_lines
from device.voices import Voices
from tests.device.conftest import a_box
from tests.device.player import Player


@pytest.fixture
def player(table, ticks):
    return Player(a_box(table, ticks), ticks)


def test_the_language_is_chosen_at_the_keys_and_holds_at_once(player, table):
    player.choose("Set-up", "Language / 言語", "日本語")
    assert "新しい対戦" in " ".join(text_lines(player.page))
    assert Voices(table.state_dir).box.language == "ja", "and after the next start"
    player.choose("設定", "Language / 言語", "English")
    assert "New match" in " ".join(text_lines(player.page))


def test_two_pages_of_one_box_may_differ(tmp_path):
    voices = Voices(tmp_path)
    said = [voices.asked({"language": code}).texts("home.setup") for code in ("ja", "en", "tlh", "")]
    assert said == ["設定", "Set-up", "Set-up", "Set-up"]
    voices.speak("ja")
    assert voices.asked({}).texts("home.setup") == "設定"
    assert voices.asked({"language": "en"}).texts("home.setup") == "Set-up"


@pytest.mark.parametrize("kept", [b"tlh\n", b"\xff\xfe", b"", b"../../etc"])
def test_a_language_that_is_not_there_is_english(tmp_path, kept):
    (tmp_path / "language").write_bytes(kept)
    assert Voices(tmp_path).box.texts("home.setup") == "Set-up"


def test_a_disk_that_takes_nothing_is_said_and_the_language_holds(player, table, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("device.voices.replace_file", full)
    player.choose("Set-up", "Language / 言語", "日本語")
    assert "空き容量がありません" in " ".join(text_lines(player.page))
    assert player.box.texts("home.setup") == "設定"
    assert not (table.state_dir / "language").exists()


def test_a_name_is_written_in_kana_by_its_rows(player):
    player.box.voices.speak("ja")
    player.box.renew_pages()
    player.choose("新しい対戦", "A: プレイヤーA")
    if player.page.prompt != "_":
        player.choose("新しい名前")
    for row, letter in (("あ", "あ"), ("た", "づ"), ("サ", "ザ")):
        player.choose(row, letter)
    assert player.page.prompt == "あづザ_"
    player.choose("か")
    player.back()
    assert player.page.prompt == "あづザ_", "Back leaves the row, and takes nothing away"
    player.back()
    assert player.page.prompt == "あづ_"
    player.choose("以上")
    assert any("あづ" in item for item in player.page.items)


def test_what_records_keep_is_english_in_every_language(tmp_path):
    voices = Voices(tmp_path)
    english, japanese = voices.of("en").texts, voices.of("ja").texts
    for key in english.under("reason"):
        assert japanese.original(key) == english(key)
        assert japanese.recall("reason", english(key)) == japanese(key) or "reason.none" in key
    assert japanese.recall("reason", "a reason of their own") == "a reason of their own"


SPEAKS = """
import gc, sys
import device.daemon, device.panel
from device.screen import NoticePage, PageHeader
from device.screen.pixels import draw
from device.voices import Voice

voice = Voice(sys.argv[1])
draw(NoticePage(PageHeader(), voice.texts("home.prompt")))
gc.collect()
print(int(open("/proc/self/statm").read().split()[1]) * 4)
"""


@pytest.mark.soak
def test_japanese_takes_two_megabytes_more_at_most():
    """KiB of texts, catalogues and fonts: 1,540 to 1,770 were measured."""

    def taken(language):
        told = [
            subprocess.run([sys.executable, "-c", SPEAKS, language], capture_output=True, check=True).stdout
            for _ in range(3)
        ]
        return sorted(map(int, told))[1]

    assert 500 < taken("ja") - taken("en") < 2_000_000 / 1024
