"""`podesta pair`: the code of a phone that asks, printed at the box."""

import pytest

from device.cli import main
from device.commands import Exit
from device.match import Pairings


@pytest.fixture
def state(tmp_path):
    return tmp_path / "state"


def test_the_code_for_the_seat_that_a_phone_asks_for(state, capsys):
    state.mkdir()
    asking = Pairings(state).ask("secret", 1)
    assert main(["pair", "b", "--state", str(state)]) == Exit.FINE
    assert capsys.readouterr().out == f"{asking.code}\n"


def test_no_phone_asks_for_that_seat(state, capsys):
    assert main(["pair", "a", "--state", str(state)]) != Exit.FINE
    assert "choose the seat on the phone first" in capsys.readouterr().err
