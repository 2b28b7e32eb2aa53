from pathlib import Path

import pytest
from PIL import Image

from device.cli import main
from device.commands import Exit
from engines import bags
from engines.marrakesh.tower import TRAY, Throw

MATCHES = Path(__file__).parents[2] / "matches"
TWO, FOUR = MATCHES / "marrakesh_two.match", MATCHES / "marrakesh_four.match"


def throw(falls, tray):
    return Throw(TRAY.read(falls), TRAY.read(tray))


def trays(path):
    lines = [line.split() for line in path.read_text("utf-8").splitlines()]
    return [TRAY.read(words[3]) for words in lines if words[2:3] == ["tray"]]


def test_a_match_and_the_life_of_a_tower(capsys, tmp_path):
    picture = tmp_path / "tower.png"
    assert main(["tower", str(TWO), "--png", str(picture)]) == Exit.FINE
    first, *others = capsys.readouterr().out.splitlines()
    out = [bags.total(tray) for tray in trays(TWO)]
    assert first == f"12 throws: 72 keshis in, {sum(out)} out."
    assert others[-1] == f"Out of each throw: {' '.join(map(str, out))}."
    assert others[0].startswith("Inside now: ")
    with Image.open(picture) as drawn:
        assert drawn.width == 128 * 6
        assert drawn.height % (64 * 6) == 0
    assert main(["tower", str(TWO), str(FOUR)]) == Exit.FINE
    assert capsys.readouterr().out.startswith("24 throws: 216 keshis in, ")
    assert main(["tower", str(TWO), "--language", "ja"]) == Exit.FINE
    assert capsys.readouterr().out.startswith("12回投入: 入れた72個、")


@pytest.mark.parametrize(
    ("files", "why"),
    [
        (["torres_two.match"], "nothing in Torres keeps pieces"),
        (["both_stop_early.match"], "nothing in Le Torri di San Gimignano keeps pieces"),
        (["castles_of_tuscany_two.match"], "nothing in The Castles of Tuscany keeps pieces"),
        (["torres_two.match", "marrakesh_two.match"], "name those of one game"),
    ],
)
def test_what_cannot_be_told(files, why, capsys):
    assert main(["tower", *(str(MATCHES / name) for name in files)]) == Exit.USAGE
    assert why in capsys.readouterr().err
