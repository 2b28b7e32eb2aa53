"""Causes at the box in Japanese: no English is left in them."""

import errno
import re
from pathlib import Path

import pytest

from device.match.journal import JournalDamaged, JournalError, make_journal_error, read, tell_unread
from device.match.journal_text import JournalFile
from device.match.records import Damage
from device.match.replay import Header
from device.menus.care import make_stick_menu
from device.stick import Stick
from device.texts import Texts, in_words, reason, said
from device.update import Care, installer
from device.update.release import CareError
from engines.contract import Setup
from tests.device.conftest import NAMES, a_box
from tests.device.japanese import is_japanese
from tests.device.player import Player

JAPANESE = Texts.load("ja", strict=True)


@pytest.fixture
def box(table, ticks):
    (table.state_dir / "stick").mkdir()
    stick = Stick(table.state_dir, None, table.state_dir / "stick")
    box = a_box(table, ticks, stick=stick)
    box.voices.speak("ja")
    return box


@pytest.fixture
def player(box, ticks):
    return Player(box, ticks)


def written(player, what):
    player.box.push(make_stick_menu(player.box, player.box.stick))
    player.choose(what)
    return player.read_all()


def test_a_match_that_cannot_be_taken_along(player, box, table):
    (table.matches / "20261120-195541-torres-a-b.podesta").write_text("x")
    said = written(player, "主催者への対戦記録")
    assert is_japanese(said)
    assert "20261120-195541-torres-a-b.podesta: この対戦は持ち出せません(" in said
    box.open(Header("san_gimignano", NAMES, Setup()))
    box.go_home()
    assert is_japanese(written(player, "主催者への対戦記録"))


def test_each_cause_of_an_update_has_a_text_with_its_detail_in_brackets():
    codes = [key for key in Texts.load("en") if key.startswith("care.why.")]
    written = set(re.findall(r'"code": "(\w+)"', Path(installer.__file__).read_text("utf-8")))
    assert written == {"ended", "safe_mode", "not_up", "system", "changed", "dpkg"}
    assert {f"care.why.{code}" for code in written} < set(codes)
    for code in codes:
        assert is_japanese(in_words(said(code, detail="x.deb"), JAPANESE)), code


REFUSED = ["no_key", "unknown_key", "bad_signature", "damaged", "other_box", "older", "hash"]


@pytest.mark.parametrize("why", REFUSED)
def test_each_reason_of_a_release_that_is_refused(why):
    error = CareError(why, "podesta.update is not for here")
    assert str(error).endswith(": podesta.update is not for here")
    assert is_japanese(reason(error, JAPANESE))
    assert "(詳細はログに)" in reason(error, JAPANESE)


@pytest.mark.parametrize(
    ("result", "cause"),
    [
        ('"code": "not_up", "why": "150"', "150秒以内に起動しませんでした"),
        ('"code": "dpkg", "why": "no space"', "パッケージを入れられません(詳細はログに)"),
        ('"why": "it stopped after starting"', "詳細はログに"),
    ],
    ids=["a figure", "the system's words", "a sentence of an older version"],
)
def test_an_outcome_is_told_in_the_language_of_the_box(tmp_path, monkeypatch, result, cause):
    (tmp_path / "result.json").write_text(f'{{"id": "1", "said": "stuck", {result}}}')
    monkeypatch.setattr("device.update.HOME", tmp_path)
    news = Care(tmp_path, tmp_path).news()
    assert in_words(news.cause, JAPANESE) == cause


def test_past_matches_that_cannot_be_read(player, box, table):
    (table.matches / "20261120-195541-torres-a-b.podesta").write_text("x")
    (past,) = table.list_past()
    (result,) = box.door.archive.list_results([past])
    assert is_japanese(in_words(result.why, JAPANESE))
    player.choose("これまでの対戦")
    player.ok()
    said = player.read_all()
    assert said == in_words(result.why, JAPANESE)
    assert "(" in said
    box.continue_match(past)
    said = player.read_all()
    assert said.startswith("対戦を開けませんでした: 対戦の記録を読み書きできません(")
    assert is_japanese(said)


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device", "/x"),
        make_journal_error(Path("/x"), OSError(errno.EROFS, "Read-only file system")),
        make_journal_error(Path("/x"), OSError(errno.EWOULDBLOCK, "Resource temporarily unavailable")),
        JournalDamaged(Path("/x"), Damage(3, said("damage.chain")), JournalFile({}, (), None)),
        PermissionError(errno.EACCES, "Permission denied"),
    ],
)
def test_what_the_system_and_a_damaged_record_say_is_in_the_language(error):
    why = tell_unread(error)
    assert not re.search("[A-Za-z]{2,}", in_words(why, Texts.load("ja", strict=True))), why
    assert "{" not in str(why)


def test_a_file_that_is_no_match_is_told_in_the_language(tmp_path):
    (tmp_path / "empty").touch()
    (tmp_path / "other").write_text("x")
    (tmp_path / "folder").mkdir()
    for name, what in {
        "absent": "その対戦ファイルはありません",
        "empty": "空です",
        "other": "対戦ファイルではありません",
        "folder": "普通のファイル",
    }.items():
        with pytest.raises(JournalError) as refused:
            read(tmp_path / name)
        assert what in in_words(tell_unread(refused.value), JAPANESE)
