"""A folder of pictures with truth for the tests, and readers that look up what they have read."""

import json

import cv2

from device.sensors.readers.bench import Options, measure
from device.sensors.readers.torres import bench as boards
from device.sensors.readers.torres.bench import BoardRead
from device.sensors.readers.tray import bench as trays
from device.sensors.readers.tray.bench import TrayRead

CAMERA = {
    "fx": 1065.1,
    "fy": 1065.1,
    "cx": 640.0,
    "cy": 480.0,
    "tilt_deg": 30.0,
    "height_mm": 442,
    "dist": [-0.045, 0.012, 0.0004, -0.0003, 0.0],
}
EMPTY = [[0] * 8 for _ in range(8)]


def heights(**cells):
    """Rows of heights: ``heights(d1=2)``."""
    rows = [list(row) for row in EMPTY]
    for cell, height in cells.items():
        rows[int(cell[1]) - 1]["abcdefgh".index(cell[0])] = height
    return rows


def board(**more):
    """A board's truth: a red knight, a castle, and a block placed on d2."""
    return {
        "game": "torres",
        "field_mm": [224.0, 224.0],
        "first_marker": 0,
        "marker_gap_mm": 4.0,
        "cell_mm": 28.0,
        "block_mm": [26.5, 26.5, 15.0],
        "heights": heights(d1=1, d2=1),
        "pieces": {"d1": "red", "f3": "king"},
        "before": {"heights": heights(d1=1), "pieces": {"d1": "red", "f3": "king"}},
        "camera": CAMERA,
        "light": {"warm": 0.5},
        "seat": "red",
        "turn": ["B d2"],
        "legal": True,
    } | more


def tray(**more):
    """A tray's truth: two red keshis and a white one."""
    return {
        "game": "marrakesh",
        "field_mm": [180.0, 140.0],
        "first_marker": 4,
        "marker_gap_mm": 12.0,
        "keshi_mm": [11.0, 7.0],
        "counts": {"red": 2, "white": 1},
        "piece_mg": 500,
        "weight_mg": 1490,
        "camera": CAMERA,
    } | more


def put(folder, name, truth, picture=b"a picture"):
    """A truth and its picture in a folder."""
    folder.joinpath(f"{name}.json").write_text(json.dumps({"picture": f"{name}.jpg"} | truth), "utf-8")
    if picture is not None:
        folder.joinpath(f"{name}.jpg").write_bytes(picture)


class Told:
    """Readers that give what they were told for a picture's name, or raise it; the truth where nothing."""

    def __init__(self, told=()):
        self.told, self.asked = dict(told), []

    def read_board(self, picture, truth, options, _before=()):
        """A board."""
        return self._answer(
            picture, ("prior", options.prior), BoardRead(truth.layout, 60.0, stages=(("read", 10.0),))
        )

    def read_tray(self, picture, truth, options):
        """A tray."""
        return self._answer(
            picture, ("scale", options.scale), TrayRead(truth.keshis, stages=(("read", 2.0),))
        )

    def in_use(self, monkeypatch):
        """Take the place of the readers."""
        monkeypatch.setattr(boards, "read_board", self.read_board)
        monkeypatch.setattr(trays, "read_tray", self.read_tray)
        return self

    def _answer(self, picture, what, usual):
        self.asked.append((picture.stem, *what))
        answer = self.told.get(picture.stem, usual)
        if isinstance(answer, Exception):
            raise answer
        return answer


def put_picture(folder, name, view, picture, **truth):
    """A picture of a painted field, and its truth."""
    cv2.imwrite(str(folder / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    field = view.field
    truth |= {
        "field_mm": [field.width_mm, field.height_mm],
        "first_marker": field.first_marker,
        "marker_gap_mm": field.gap_mm,
        "camera": CAMERA,
        "picture": f"{name}.jpg",
    }
    (folder / f"{name}.json").write_text(json.dumps(truth))


def measured(folder):
    """Return what the bench makes of a folder."""
    return measure(folder, Options(prior=False, scale=False))
