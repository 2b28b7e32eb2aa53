"""CSV in and out: what is wrong is named by its line."""

import csv
import io

import pytest

from device.event.desk.rows import Attendee
from device.event.desk.sheets import PEOPLE, read_people, read_seats
from device.exports import write_csv

KNOWN = [Attendee(name=name) for name in ("Adso", "William", "Bea")] + [Attendee(name="Cy", gone=True)]


def test_people_with_any_parting_and_any_order_of_columns():
    for text in (
        "name,club\nAdso,Siena\nZoë,\n",
        "\ufeffclub;name\r\nSiena;Adso\r\n;Zoë\r\n",
        "Name\tclub\nAdso\tSiena\nZoë\n",
    ):
        people = [(one.name, one.club) for one in read_people(text.encode())]
        assert people == [("Adso", "Siena"), ("Zoë", "")]


def test_what_goes_out_comes_in_again_and_is_no_formula():
    text = write_csv(PEOPLE, [("=HYPERLINK(1)", "-5"), ('He said "no", twice', "+x")])
    cells = list(csv.reader(io.StringIO(text)))
    assert cells[1] == ["'=HYPERLINK(1)", "-5"]
    assert [one.name for one in read_people(text.encode())] == ["=HYPERLINK(1)", 'He said "no", twice']


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"name\nAdso\nZo\xeb\n", "line 3: byte 0xeb is not UTF-8"),
        (b"name\nAd\x00so\n", "line 2: remove the control character 0x00"),
        (b"person\nAdso\n", "line 1: the column name is missing"),
        (b"", "line 1: the column name is missing"),
        (b"name,club\nAdso,x\nadso,y\n", "line 3: adso is there twice"),
        (b"name,club\n,x\n", "line 2: the name is missing"),
        (b"name\n" + b"x" * 65 + b"\n", "line 2: x.* has more than 64 letters"),
        ("name\nAdso\u202e\n".encode(), "line 2: .* has letters that cannot be seen"),
        (b'name\n"Adso\n', "line 2: "),
    ],
)
def test_people_that_cannot_be_read_are_named_by_line(data, why):
    with pytest.raises(ValueError, match=why):
        read_people(data)


def test_seats_by_round():
    text = b"round,table,seat,person\n1,table-01,A,adso\n1,table-01,b,William\n2,t,a,Bea\n"
    found = read_seats(text, KNOWN)
    assert [(seat.table, seat.seat, seat.person) for seat in found[1]] == [
        ("table-01", "a", "Adso"),
        ("table-01", "b", "William"),
    ]
    assert [seat.round for seat in found[2]] == [2]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("0,t,a,Adso", "the round is a number from 1"),
        ("x,t,a,Adso", "the round is a number from 1"),
        ("1,<b>,a,Adso", "a table is letters"),
        ("1,t,z,Adso", "a seat is one of a b"),
        ("1,t,a,Nobody", '"Nobody" is not among the people'),
        ("1,t,a,Cy", '"Cy" is not among the people'),
        ("1,t9,a,William", "William sits in round 1 already"),
        ("1,t,b,Adso", "seat b of t is taken"),
    ],
)
def test_seats_that_are_wrong_are_named_by_line(line, why):
    with pytest.raises(ValueError, match=f"^line 3: {why}.*\nline 4: "):  # all of them at once
        read_seats(f"round,table,seat,person\n1,t,b,William\n{line}\n2,x,q,Bea\n".encode(), KNOWN)
