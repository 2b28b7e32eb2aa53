"""Pictures and videos from files."""

import contextlib
import struct
import zlib
from unittest.mock import patch

import cv2
import numpy as np
import pytest

from device.sensors.sources.pictures import (
    EVERY_MS,
    SMALL,
    CameraError,
    Folder,
    PicturesEnded,
    Video,
    read_picture,
)


@pytest.fixture
def folder(tmp_path):
    for number in (2, 10, 1):
        cv2.imwrite(str(tmp_path / f"{number:03}.png"), np.full((48, 64, 3), number, np.uint8))
    (tmp_path / "notes.txt").write_text("no picture")
    return tmp_path


def test_pictures_come_in_order_with_growing_times_and_then_end(folder):
    source = Folder(folder)
    frames = [source.grab() for _ in range(3)]
    assert [frame.picture[0, 0, 0] for frame in frames] == [1, 2, 10]
    assert [frame.ms for frame in frames] == [0, EVERY_MS, 2 * EVERY_MS]
    assert frames[0].small.shape == (SMALL[1], SMALL[0])
    with pytest.raises(PicturesEnded, match="no more pictures"):
        source.grab()


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n", b"hello"])
def test_a_file_that_is_no_picture_is_named_and_the_next_comes(folder, data):
    (folder / "002.png").write_bytes(data)
    source = Folder(folder)
    source.grab()
    with pytest.raises(CameraError, match=r"002\.png: no picture"):
        source.grab()
    assert source.grab().picture[0, 0, 0] == 10


def test_no_folder_and_an_empty_one(tmp_path):
    with pytest.raises(CameraError, match="No such file"):
        Folder(tmp_path / "none")
    with pytest.raises(CameraError, match="no picture in it"):
        Folder(tmp_path)


def test_a_video_comes_at_its_own_speed(tmp_path):
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 20, (64, 48))
    for grey in (50, 100, 150):
        writer.write(np.full((48, 64, 3), grey, np.uint8))
    writer.release()
    source = Video(path)
    frames = [source.grab() for _ in range(3)]
    assert [round(float(frame.picture.mean()) / 50) for frame in frames] == [1, 2, 3]
    assert np.diff([frame.ms for frame in frames]) == pytest.approx([50, 50])
    with pytest.raises(PicturesEnded):
        source.grab()
    source.close()


def test_no_video(tmp_path):
    (tmp_path / "table.avi").write_bytes(b"nothing")
    with pytest.raises(CameraError, match="no video"):
        Video(tmp_path / "table.avi")


def declaring(width, height):
    """A PNG that is whole but for its pixels."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0" * 100)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(60_000, 60_000), (9_000, 9_000), (100_000, 700)])
def test_a_picture_that_declares_too_many_pixels_is_refused_by_name_before_it_is_decoded(tmp_path, size):
    path = tmp_path / "huge.png"
    path.write_bytes(declaring(*size))
    with pytest.raises(CameraError, match=r"huge\.png: .*pixels"), patch.object(cv2, "imdecode") as decoded:
        read_picture(path)
    assert not decoded.called


@pytest.mark.parametrize("end", [".png", ".jpg"])
def test_no_header_whatever_ends_in_anything_but_words(tmp_path, end):
    whole = cv2.imencode(end, np.full((8, 8, 3), 90, np.uint8))[1].tobytes()
    path = tmp_path / f"cut{end}"
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with contextlib.suppress(CameraError):
            assert read_picture(path).shape == (8, 8, 3)
