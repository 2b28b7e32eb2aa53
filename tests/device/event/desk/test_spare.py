"""A spare box fetches a lost one's match from a desk that really listens, by its own key."""

import contextlib
import threading
import time

import pytest
import uvicorn

from device.cli import main
from device.event import BoxKey, FetchError, fetch, revoke
from device.event.desk.app import keep_own_certificate, make_app, read_fingerprint
from device.event.desk.front import DeskSetup
from device.event.desk.rows import AuditRow
from device.event.fetching import CONTEXT, write_request
from tests.device.event.desk.conftest import Visitor, gate_of
from tests.device.event.mosquitto import PATIENCE_S, find_free_port


@contextlib.contextmanager
def listening(store, keys_file, tls=None, shown=""):
    """A desk at a port of its own; its address."""
    port = find_free_port()
    app = make_app(DeskSetup(store, gate_of(store), keys_file, fingerprint=shown))
    certificate, key = tls or (None, None)
    server = uvicorn.Server(
        uvicorn.Config(app, port=port, log_level="error", ssl_certfile=certificate, ssl_keyfile=key)
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"{'https' if tls else 'http'}://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S / 2)
    assert not thread.is_alive(), "a box that is done has hung up: no desk waits for it"


@pytest.fixture
def half_played(guido, evening, set_up):
    box = evening.boxes[0]
    guido.upload(path := box.play("Adso", "William", to=20))
    return path


def lost(evening, path):
    from device.match import read

    revoke(evening.keys_file, "table-01", [read(path).records[-1].hash])


def test_over_the_desk_s_own_certificate(store, evening, half_played, tmp_path, capsys):
    lost(evening, half_played)
    spare, tls = evening.boxes[1], keep_own_certificate(tmp_path, "127.0.0.1")
    with listening(store, evening.keys_file, tls, read_fingerprint(tls[0])) as address:
        assert main(["continue", address, "--table", "table-01", "--state", str(spare.state)]) == 0
    assert "20 records" in capsys.readouterr().out
    (journal,) = spare.matches.glob("table-01-*.podesta")
    assert journal.read_bytes() == half_played.read_bytes()
    assert [row.what for row in store.every(AuditRow, kind="spare")] == [
        "the match of table-01 went to table-02"
    ]


def test_another_certificate_in_between_gets_nothing(store, evening, half_played, tmp_path):
    """What a box signs for the certificate that it saw is worth nothing at the desk behind."""
    lost(evening, half_played)
    tls = keep_own_certificate(tmp_path, "127.0.0.1")
    said = pytest.raises(FetchError, match="no key of this event signed that")
    with listening(store, evening.keys_file, tls, shown="AB:CD") as address, said:
        fetch(address, "table-01", BoxKey(evening.boxes[1].state))


def test_who_gets_nothing(store, guido, evening, half_played, tmp_path):
    spare = BoxKey(evening.boxes[1].state)
    with listening(store, evening.keys_file) as address:
        with pytest.raises(FetchError, match="the table's page that the box of table-01 is lost"):
            fetch(address, "table-01", spare)
        with pytest.raises(FetchError, match="has no unfinished match of table-02"):
            fetch(address, "table-02", spare)
        evening.boxes[1].play("Bea", "Cy", to=20)
        assert main(["bundle", str(tmp_path / "open.zip"), "--state", str(evening.boxes[1].state)]) == 0
        guido.upload(tmp_path / "open.zip")
        with pytest.raises(FetchError, match="the match of table-02 came without its hidden part"):
            fetch(address, "table-02", spare)
        (tmp_path / "stranger").mkdir()
        assert fetch(address, "table-01", BoxKey(evening.boxes[0].state)) == half_played.read_bytes()
        with pytest.raises(FetchError, match="no key of this event"):
            fetch(address, "table-01", BoxKey(tmp_path / "stranger"))
        lost(evening, half_played)
        with pytest.raises(FetchError, match="the key of table-01 was revoked"):
            fetch(address, "table-01", BoxKey(evening.boxes[0].state))
    with pytest.raises(FetchError, match="is the desk there"):
        fetch(address, "table-01", spare)
    with pytest.raises(FetchError, match="a desk on a network is https"):
        fetch("http://192.0.2.1", "table-01", spare)


def test_a_number_is_the_desk_s_own_and_not_for_long(app, store, evening, half_played, clock):
    client, key = Visitor(app).client, BoxKey(evening.boxes[0].state)

    def ask(number):
        signature = key.sign(write_request(number, "table-01", ""), CONTEXT)
        form = {"number": number, "key": key.public, "signature": signature}
        return client.post("/spare/table-01", data=form)

    number = client.get("/spare").text
    assert ask(number).status_code == 200
    assert client.get("/spare").text == number, "nothing is kept of it"
    made, _, seal = number.partition("-")
    for forged in (number[:-1] + "x", f"{int(made) + 1}-{seal}", "made up", "-", "ä-ä"):
        answer = ask(forged)
        assert (answer.status_code, "ask again" in answer.text) == (403, True)
    clock.now += 61
    assert ask(number).status_code == 403


def test_a_box_that_knows_no_desk_says_so(evening, capsys):
    assert main(["continue", "--state", str(evening.boxes[1].state)]) == 2
    assert "give a file, or the desk's address" in capsys.readouterr().err
