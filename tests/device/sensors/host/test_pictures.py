"""Pictures behind readings: kept, not too many, and never a reason to stop."""

import os

import pytest

from device.sensors.host.handover import BESIDE, Pictures

MATCH = "20261121-200000-torres-ada-bea"


def put(pictures, record, data=b"jpeg", match=MATCH):
    path = pictures.put(match, record, data)
    if path:
        os.utime(path, ns=(record * 10**9, record * 10**9))
    return path


def kept(folder):
    return sorted(int(file.stem) for file in folder.glob("*/*.jpg"))


def test_a_second_view_is_kept_beside_it_and_counts(tmp_path):
    pictures = Pictures(tmp_path, 2, 10)
    put(pictures, 1)
    assert pictures.put(MATCH, 2, b"other", BESIDE) == tmp_path / MATCH / "2.b.jpg"
    pictures.put(MATCH, 2, b"first")
    assert sorted(file.name for file in (tmp_path / MATCH).iterdir()) == ["2.b.jpg", "2.jpg"]


@pytest.mark.parametrize(("keep", "keep_mb"), [(3, 10), (100, 1)])
def test_the_oldest_go_where_there_are_too_many_or_too_large_and_no_other_files(tmp_path, keep, keep_mb):
    pictures = Pictures(tmp_path, keep, keep_mb)
    put(pictures, 1, bytes(300_000), match="earlier")
    (tmp_path / MATCH).mkdir()
    (tmp_path / MATCH / "holiday.jpg").write_bytes(b"mine")
    for record in range(2, 8):
        put(pictures, record, bytes(300_000))
    assert sorted(path.name for path in (tmp_path / MATCH).iterdir()) == [
        "5.jpg",
        "6.jpg",
        "7.jpg",
        "holiday.jpg",
    ]
    assert not (tmp_path / "earlier").exists()


@pytest.mark.parametrize(("keep", "keep_mb"), [(0, 10), (10, 0)])
def test_none_where_people_want_none(tmp_path, keep, keep_mb):
    assert put(Pictures(tmp_path, keep, keep_mb), 1) is None
    assert kept(tmp_path) == []


def test_one_larger_than_all_may_be_is_not_kept_and_costs_no_other(tmp_path):
    pictures = Pictures(tmp_path, 10, 1)
    put(pictures, 1)
    assert put(pictures, 2, bytes(1_000_001)) is None
    assert kept(tmp_path) == [1]


def test_a_disk_that_cannot_be_written_costs_the_picture_only(tmp_path):
    (tmp_path / MATCH).write_text("a file where the folder should be")
    assert put(Pictures(tmp_path, 10, 10), 1) is None
