"""A box is lost: its key no longer counts, what it played stays, a spare box goes on."""

import pytest

from device.cli import main
from device.event.desk.rows import AuditRow

TABLE = "/round/1/table/table-01"


def fetched(who, result, folder):
    answer = who.client.get(f"/journal/{result}")
    name = answer.headers["content-disposition"].partition('"')[2].rstrip('"')
    (folder / name).write_bytes(answer.content)
    return folder / name


def test_a_spare_box_goes_on_with_what_the_desk_has(guido, evening, set_up, store, tmp_path, capsys):
    first, spare = evening.boxes
    guido.upload(first.play("Adso", "William", to=20, file="20261127-adso.podesta"))
    assert "goes on from record 20" in guido.get(TABLE)
    path = fetched(guido, store.tables(1)[0].result.id, tmp_path)
    assert path.name == "20261127-adso.podesta"
    assert main(["continue", str(path), "--state", str(spare.state)]) == 0
    assert "goes on with 20261127-adso.podesta" in capsys.readouterr().out
    played = spare.play("Adso", "William", since=20, file=path.name)
    said = guido.upload(played)
    assert "begun at the box of table-01, signed at the end by that of table-02" in said


def test_what_was_made_for_everybody_is_for_no_spare_box(guido, evening, set_up, tmp_path):
    box = evening.boxes[0]
    box.play("Adso", "William", to=20)
    path = tmp_path / "one.zip"
    assert main(["bundle", str(path), "--state", str(box.state)]) == 0
    guido.upload(path)
    assert "has only the public part" in guido.get(TABLE)


def test_a_lost_box_s_key_counts_no_further_than_what_is_here(olga, guido, evening, set_up, store, tmp_path):
    box = evening.boxes[0]
    guido.upload(box.play("Adso", "William", file="first.podesta"))
    olga.send(f"{TABLE}/revoke", at=TABLE, status=400)
    guido.send(f"{TABLE}/revoke", at=TABLE, sure="yes", status=403)
    assert "The box is lost" in olga.get(TABLE)
    assert "The box is lost" not in guido.get(TABLE)
    olga.send(f"{TABLE}/revoke", at=TABLE, sure="yes")
    assert "no longer counts" in guido.get(TABLE)
    assert store.every(AuditRow, kind="key")[0].who == "organiser"
    said = guido.upload(box.matches / "first.podesta")
    assert "already here" in said, "it was here before"
    (tmp_path / "cup.zip").write_bytes(olga.client.get("/bundle").content)
    assert main(["verify", str(tmp_path / "cup.zip"), "--keys", str(evening.keys_file)]) == 0
    said = guido.upload(box.play("Adso", "William", to=30, file="later.podesta"))
    assert "signed by a key that is not the event's (signed by another's key, table-01 (revoked))" in said


@pytest.mark.parametrize(
    ("phrase", "status"), [("not a phrase", 400), ("0123 4567 89ab", 400), ("0123 4567 89AB cdef", 303)]
)
def test_a_phrase_that_the_table_noted_counts_too(olga, evening, set_up, phrase, status):
    before = evening.keys_file.read_text()
    olga.send(f"{TABLE}/revoke", at=TABLE, sure="yes", phrase=phrase, status=status)
    assert ("0123456789abcdef" in evening.keys_file.read_text()) == (status == 303)
    assert (evening.keys_file.read_text() == before) == (status == 400)


def test_keys_that_cannot_be_read_are_named(olga, evening, set_up):
    page = olga.get(TABLE)
    evening.keys_file.write_text("nonsense")
    assert "The box is lost" in page
    assert "The box is lost" not in olga.get(TABLE)
    said = olga.send(f"{TABLE}/revoke", at=TABLE, sure="yes", status=400)
    assert "the event's keys cannot be read" in said
    assert evening.keys_file.read_text() == "nonsense"
