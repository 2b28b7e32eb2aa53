"""An event's boxes: a file each, taken once; a file that somebody changed is refused."""

import io
import stat

import pytest

from device.cli import main
from device.commands import Exit
from device.event import (
    BROKER,
    BoxKey,
    BoxPlace,
    ProvisionError,
    Trusted,
    make_event,
    read_credential,
    read_keys,
    read_place,
    take_place,
)
from device.match import Judge, SystemClock, Unlocked


@pytest.fixture
def files(tmp_path):
    return make_event(tmp_path / "cup", "Friday cup", 12, desk="https://desk.example")


def test_a_box_is_what_its_file_says_and_the_file_goes(tmp_path, files):
    state = tmp_path / "state"
    assert [file.name for file in files][:2] == ["table-01.toml", "table-02.toml"]
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    found = take_place(files[6], state)
    assert (found.event, found.table, found.desk) == ("Friday cup", "table-07", "https://desk.example")
    assert read_place(state) == found
    assert not files[6].exists()
    keys = read_keys(tmp_path / "cup" / "keys.toml")
    assert len(keys) == 12
    assert keys[BoxKey(state).public] == Trusted("table-07")
    assert stat.S_IMODE((state / "box.key").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('table = "table-05"', 'table = "table-06"'),
        ('event = "Friday cup"', 'event = "Sunday cup"'),
        ("https://desk.example", "https://evil.example"),
        ('judge = ""', 'judge = "{}"'),
        ("signature = ", "signature = 1 #"),
        ("key = ", "kay = "),
        ("[place]", "[place"),
    ],
)
def test_a_file_that_was_changed_is_refused_and_nothing_is(tmp_path, files, old, new):
    text = files[4].read_text()
    assert old in text
    files[4].write_text(text.replace(old, new, 1))
    with pytest.raises(ProvisionError, match=r"table-05\.toml: "):
        take_place(files[4], tmp_path / "state")
    assert not (tmp_path / "state").exists()
    assert files[4].exists()


def test_another_box_s_key_in_a_file_is_refused(tmp_path, files):
    """Swapping keys between two files would let one box sign as the other."""
    own, other = (file.read_text().splitlines() for file in files[:2])
    files[0].write_text("\n".join([other[0], *own[1:]]) + "\n")
    with pytest.raises(ProvisionError, match="not as the event Friday cup made it"):
        take_place(files[0], tmp_path / "state")


def test_a_folder_with_keys_is_never_written_over(tmp_path, files):
    before = (tmp_path / "cup" / "event.key").read_bytes()
    with pytest.raises(ProvisionError, match="there already"):
        make_event(tmp_path / "cup", "Friday cup", 2)
    assert (tmp_path / "cup" / "event.key").read_bytes() == before


@pytest.mark.parametrize(("event", "tables"), [("", 4), ("x" * 65, 4), ("a\nb", 4), ("cup", 0), ("cup", 501)])
def test_what_is_no_event(tmp_path, event, tables):
    with pytest.raises(ProvisionError):
        make_event(tmp_path / "cup", event, tables)
    assert not (tmp_path / "cup").exists()


def test_by_the_command_with_a_pin(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("2718\n"))
    folder, state = tmp_path / "cup", tmp_path / "state"
    assert main(["provision", "Friday cup", "--tables", "3", "--to", str(folder), "--judge"]) == Exit.FINE
    assert "2718" not in "".join(file.read_text() for file in folder.iterdir())
    assert main(["provision", "--take", str(folder / "table-02.toml"), "--state", str(state)]) == Exit.FINE
    assert "table-02 of Friday cup" in capsys.readouterr().out
    assert Judge(state, SystemClock().stamp).unlock("2718") == Unlocked()
    assert main(["provision", "--take", str(folder / "table-02.toml"), "--state", str(state)]) != Exit.FINE
    assert "table-02.toml" in capsys.readouterr().err
    assert main(["provision", "cup"]) == Exit.USAGE


def test_each_box_has_a_credential_at_the_broker_that_its_file_s_signature_covers(tmp_path):
    ca = "-----BEGIN CERTIFICATE-----\nx\n"
    made = make_event(tmp_path / "cup", "Friday cup", 2, broker="mqtts://cup.example", broker_ca=ca)
    text = made[1].read_text()
    made[1].write_text(text.replace("mqtts://cup.example", "mqtts://evil.example"))
    with pytest.raises(ProvisionError, match="not as the event"):
        take_place(made[1], tmp_path / "state")
    made[1].write_text(text)
    take_place(made[1], tmp_path / "state")
    own = read_credential(tmp_path / "state" / BROKER)
    assert (own.user, own.at, own.ca) == ("friday-cup.table-02", ("cup.example", 8883), ca)
    assert stat.S_IMODE((tmp_path / "state" / BROKER).stat().st_mode) == 0o600
    elsewhere = read_credential(tmp_path / "state" / BROKER, "mqtt://10.0.0.1:1883")
    assert (elsewhere.at, elsewhere.password) == (("10.0.0.1", 1883), own.password)
    files = {file.name: file.read_text() for file in (tmp_path / "cup" / "broker").iterdir()}
    assert set(files) == {"acl", "passwords", "mosquitto.conf", "desk.json", "look.json"}
    assert own.password not in "".join(files.values())
    assert files["passwords"].count("$7$101$") == 4
    mine = files["acl"].split("user friday-cup.table-02\n")[1]
    assert "table-01" not in mine
    assert "topic write podesta/friday-cup/box/table-02/records\n" in mine
    take_place(make_event(tmp_path / "next", "Next cup", 1)[0], tmp_path / "state")
    assert read_credential(tmp_path / "state" / BROKER) is None, "the next event has no broker"
    with pytest.raises(ValueError, match=r"http://x: a broker is mqtt://HOST:PORT"):
        make_event(tmp_path / "x", "cup", 1, broker="http://x")
    assert not (tmp_path / "x").exists()


def test_no_place_and_a_torn_one(tmp_path):
    assert read_place(tmp_path) is None
    (tmp_path / "place").write_text("{torn")
    with pytest.raises(ProvisionError, match="place: "):
        read_place(tmp_path)
    (tmp_path / "place").unlink()
    assert BoxPlace("cup", "t", "A" * 43 + "=").desk == ""
