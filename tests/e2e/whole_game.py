"""A whole recorded game on a running box, and what must be on its disk afterwards."""

import os
from pathlib import Path

from PIL import Image

from device.match.journal import read
from device.match.records import Kind
from device.match.replay import Header, Replay
from engines import matchfile
from engines.matchfile import MatchFile
from tests.e2e.keys_driver import Player

MATCH = Path(__file__).parents[1] / "matches" / "closed.match"


def recorded_game() -> MatchFile:
    """A game with trades, conspiracies, exchanges and an ending by *Close*."""
    return matchfile.read(MATCH.read_text("utf-8"), MATCH.name)


def header(file: MatchFile) -> Header:
    """Return what is settled on the home screen before the game."""
    return Header(file.game, file.names, file.setup)


def play(player: Player, file: MatchFile, steps: int | None = None) -> None:
    """From the home screen to the final score, or so many steps."""
    player.open(header(file))
    for step in file.steps[:steps]:
        player.enter(step)


def check_journal(state: Path, file: MatchFile, *, simulated: bool, steps: int | None = None) -> None:
    """The journal in ``state`` has exactly the game (or its first ``steps``), made by the keys."""
    (path,) = (state / "matches").glob("*.podesta")
    reading = read(path)
    assert reading.damage is None
    assert reading.header["simulated"] == ("yes" if simulated else "no")
    assert {record.simulated for record in reading.records} == {simulated}
    assert {record.channel for record in reading.records} == {"keys"}
    replay = Replay(reading.header, reading.records)
    assert not replay.drift
    assert replay.names == file.names
    assert replay.match.steps == list(file.steps[:steps])
    # Nothing was entered and taken back on the way: one record a step, and one that says how it ended.
    rulings = [record.payload for record in reading.records if record.kind is Kind.RULING]
    assert len(reading.records) == len(replay.match.steps) + len(rulings)
    assert len(rulings) == (1 if replay.over else 0)
    if steps is None:
        assert replay.over
        assert matchfile.result(replay.match) == file.result


def keep(picture: Image.Image, name: str, folder: Path) -> Path:
    """Save a picture for people to look at: where PODESTA_ARTEFACTS says, else in ``folder``."""
    folder = Path(os.environ.get("PODESTA_ARTEFACTS") or folder)
    folder.mkdir(parents=True, exist_ok=True)
    picture.save(folder / name)
    return folder / name
