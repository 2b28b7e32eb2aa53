import pytest

import engines
from device.cli import main
from device.commands import Exit
from engines.search import perft

GAME = engines.game("san_gimignano")
OPEN = "a=5-7 marker=a market=6,8,8,10 hand.a=?4 hand.b=?5"


def test_a_position_is_counted_and_divided(capsys):
    whole = perft(GAME, GAME.position.read(OPEN), 3)
    assert main(["perft", "san_gimignano", "--depth", "3", "--position", OPEN]) == Exit.FINE
    assert capsys.readouterr().out == f"{whole}\n"
    assert main(["perft", "san_gimignano", "--depth", "3", "--position", OPEN, "--divide"]) == Exit.FINE
    *parts, total = capsys.readouterr().out.splitlines()
    tokens = [part.split(": ")[0] for part in parts]
    assert tokens == [choice.token for choice in GAME.rules.legal(GAME.position.read(OPEN))]
    assert sum(int(part.split(": ")[1]) for part in parts) == whole
    assert total == f"total: {whole}"


@pytest.mark.parametrize(("position", "why"), [("a=11x3", "'11x3'"), ("a=5-7 marker=-", "SG-4.1")])
def test_an_impossible_position_is_not_counted(position, why, capsys):
    assert main(["perft", "san_gimignano", "--depth", "1", "--position", position]) == Exit.WRONG
    out, err = capsys.readouterr()
    assert not out
    assert why in err
