"""`podesta vision keep`: a reading of a match becomes a picture with truth, and the bench reads it."""

import json
from pathlib import Path

import cv2
import pytest
from msgspec.structs import replace

import engines
from device.cli import main
from device.commands import Exit
from device.copy_file import CopyFile
from device.match import Kind, Library
from device.sensors import learnt, readers
from device.sensors.host import BESIDE, Pictures
from device.sensors.readers import paintings, shelf
from device.sensors.readers.san_gimignano import teaching as decks
from device.sensors.simulated_table import SimulatedTable
from device.sensors.sources.simulated import lens_of, paint
from device.settings import CameraSettings
from device.texts import Texts
from tests.device.games import HEADERS, game_steps
from tests.device.sensors.tables import PITCH_MM, areas, regions
from vision import painter
from vision.cards.painter import slots

SIZE = (1280, 960)


class Box:
    """A state directory with one camera, and a match of which it makes readings."""

    def __init__(self, folder: Path, name: str, field: str) -> None:
        self.folder, self.state, self.field = folder, folder / "state", field
        self.camera = CameraSettings("folder:/pictures", field=field, width=SIZE[0], height=SIZE[1])
        self.lens = lens_of(SIZE)
        found = learnt.Calibrated(self.camera.source, self.camera.focus, self.lens, 0.3, 24, "2025-03-09")
        learnt.save_lens(self.state, self.camera, found)
        settings = f'source = "folder:/pictures"\nfield = "{field}"\nwidth = 1280\nheight = 960\n'
        (folder / "podesta.toml").write_text(f"[[camera]]\n{settings}")
        header = HEADERS[name]
        if header.game == "castles_of_tuscany":
            file = CopyFile.of(self.state, header.game, Texts.load("en", header.game))
            file.put({"hex_size": PITCH_MM})
        self.referee = Library(self.state).open_match(header)
        self.game = engines.game(header.game)
        self.steps = game_steps(1, header.setup, header.game)

    @property
    def match(self) -> Path:
        """The journal."""
        return Path(self.referee.path)

    def read(self, seen: str, table: SimulatedTable) -> int:
        """Record what was read of a table; return the record's number."""
        picture = painter.noisy(paint(table, self.lens, [readers.load_painting(self.field)]), 1)
        entry = self.referee.note(seen, channel="camera:1", kind=Kind.READING)
        number = entry.written.result(30)[-1].seq
        jpeg = cv2.imencode(".jpg", picture)[1].tobytes()
        Pictures(self.state / "pictures", 9, 9).put(self.match.stem, number, jpeg)
        return number

    def play(self, what: str, wrong: str, painted, readings: int) -> list[int]:
        """Play until so many steps showed at a sight, each misread before as ``wrong``; their records."""
        sight, found = self.game.in_sight(self.referee.replay.match.state)[what], []
        for step in self.steps:
            before = self.referee.replay.match
            after = before.branch(len(before.steps))
            after.play(step.text, step.seat)
            if sight.of(before.state) != sight.of(after.state) and self.shown(after.state, painted):
                if len(found) == readings:
                    break
                found.append(self.read(f"{what} 0.90 {wrong}", self.shown(after.state, painted)))
            self.referee.step(step.text, seat=step.seat, channel="keys")
            assert self.referee.wait(30)
        return found

    def shown(self, state, painted) -> SimulatedTable | None:
        """The table as the camera sees it, from near."""
        table = painted(state)
        lying = table.columns or table.hexes
        near = {"area_mm": (300.0, 225.0), "distance_mm": 430.0, "elevation_deg": 75.0}
        return replace(table, **near) if lying.get(self.field) else None

    def keep(self, record: int) -> int:
        """Return what the command ends with."""
        where = ["--config", str(self.folder / "podesta.toml"), "--state", str(self.state)]
        return main(["vision", "keep", str(self.match), str(record), str(self.folder / "kept"), *where])


def bench(box, capsys):
    """The figures of what was kept."""
    capsys.readouterr()
    assert main(["vision", "bench", str(box.folder / "kept"), "--json"]) == Exit.FINE
    return json.loads(capsys.readouterr().out)["kept"]


@pytest.mark.pictures
def test_towers_are_kept_with_the_deck_that_reads_them(tmp_path, capsys):
    box = Box(tmp_path, "table", "area1")
    field = decks.field_of("area1", paintings.SLOTTED_MM)
    view = painter.PaintedView(box.lens, painter.looking(field, 80.0, 0.0, 420.0), field)
    taught = tmp_path / "deck.png"
    cv2.imwrite(str(taught), slots(view, decks.SLOTS, paintings.make_scene(SimulatedTable())))
    sizes = {"area": paintings.SLOTTED_MM, "card": paintings.CARD_MM}
    shelf.enrol(
        "san_gimignano", (box.state, box.camera), box.lens, [("deck", cv2.imread(str(taught)))], sizes
    )
    (record,) = box.play("towers", "a=- b=10x3", areas, 1)
    assert box.keep(record) == Exit.FINE
    after = box.game.sight.written(box.game.sight.of(box.referee.replay.match.state))
    assert after in capsys.readouterr().out
    figures = bench(box, capsys)
    assert (figures["n"], figures["exact"], figures["doubted"], figures["silent_wrong"]) == (1, 1, 0, 0)


@pytest.mark.pictures
def test_a_region_is_kept_with_the_picture_before_it(tmp_path, capsys):
    box = Box(tmp_path, "tuscany-two", "region1")
    first, second = box.play("region.a", "-", regions, 2)
    Pictures(box.state / "pictures", 9, 9).put(box.match.stem, second, b"another camera's", BESIDE)
    assert box.keep(second) == Exit.FINE
    assert sorted(file.name for file in (tmp_path / "kept").glob("*.jpg")) == [
        f"{box.match.stem}-{second}-earlier.jpg",
        f"{box.match.stem}-{second}.b.jpg",
        f"{box.match.stem}-{second}.jpg",
    ]
    figures = bench(box, capsys)
    assert (figures["n"], figures["exact"], figures["silent_wrong"]) == (1, 1, 0)
    assert (box.state / "pictures" / box.match.stem / f"{first}.jpg").exists()
    # What is read otherwise than it was is told.
    file = tmp_path / "kept" / f"{box.match.stem}-{second}.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "layout": "-"}))
    assert bench(box, capsys)["silent_wrong"] == 1


def test_what_cannot_be_kept_is_said(tmp_path, capsys):
    box = Box(tmp_path, "tuscany-two", "region1")
    (record,) = box.play("region.a", "-", regions, 1)
    assert box.keep(record + 1) == Exit.WRONG
    assert f"record {record + 1} is no reading" in capsys.readouterr().err
    picture = box.state / "pictures" / box.match.stem / f"{record}.jpg"
    picture.unlink()
    assert box.keep(record) != Exit.FINE
    assert str(picture) in capsys.readouterr().err
    assert not (tmp_path / "kept").exists() or not list((tmp_path / "kept").iterdir())
