"""Small files: read within limits, replaced whole or not at all, and never through a link."""

import errno
import fcntl
import os
import stat
from pathlib import Path

import pytest

from device.files import SMALL, read_file, remove_unfinished, replace_file

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")


class TestReading:
    def test_a_file_is_read_whole_up_to_its_limit(self, tmp_path):
        (tmp_path / "a").write_bytes(bytes(SMALL))
        assert read_file(tmp_path / "a") == bytes(SMALL)
        (tmp_path / "a").write_bytes(bytes(SMALL + 1))
        with pytest.raises(OSError, match=f"larger than {SMALL} bytes"):
            read_file(tmp_path / "a")
        with pytest.raises(OSError, match="larger than 3 bytes"):
            read_file(tmp_path / "a", 3)

    @pytest.mark.timeout(20)
    def test_what_is_no_plain_file_is_refused_and_not_waited_for(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        for path, why in ((tmp_path / "pipe", "not a plain file"), (tmp_path, "Is a directory")):
            with pytest.raises(OSError, match=why) as raised:
                read_file(path)
            assert raised.value.filename == str(path)
        with pytest.raises(OSError, match="not a plain file"):
            read_file(Path("/dev/zero"))


class TestReplacing:
    def test_the_file_is_on_the_disk_under_its_name_too(self, tmp_path, monkeypatch):
        """FAT keeps the size beside the name: with the folder alone synced, a cut left an empty file."""
        done = []

        def seen(name, call):
            def note(*given, **named):
                done.append((name, stat.S_ISDIR(os.fstat(given[0]).st_mode) if name == "fsync" else None))
                call(*given, **named)

            return note

        for name in ("fsync", "replace"):
            monkeypatch.setattr(os, name, seen(name, getattr(os, name)))
        replace_file(tmp_path / "a", b"new")
        assert done == [("fsync", False), ("replace", None), ("fsync", False), ("fsync", True)]

    @pytest.mark.parametrize("call", ["fsync", "replace"])
    def test_a_disk_that_refuses_leaves_the_old_one_alone(self, tmp_path, monkeypatch, call):
        replace_file(tmp_path / "a", b"old")

        def refuse(*_args, **_names):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(os, call, refuse)
        with pytest.raises(OSError, match="No space"):
            replace_file(tmp_path / "a", b"new")
        assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("a", b"old")]

    def test_only_its_owner_may_read_it_unless_asked(self, tmp_path):
        before = os.umask(0o022)
        try:
            replace_file(tmp_path / "kept", b"x")
            replace_file(tmp_path / "export", b"x", 0o666)
        finally:
            os.umask(before)
        assert stat.S_IMODE((tmp_path / "kept").stat().st_mode) == 0o600
        assert stat.S_IMODE((tmp_path / "export").stat().st_mode) == 0o644

    def test_a_link_planted_where_the_new_file_is_written_is_not_followed(self, tmp_path, monkeypatch):
        """Even one whose name was foreseen."""
        precious = tmp_path / "precious"
        precious.write_bytes(b"precious")
        owner = precious.stat().st_uid
        monkeypatch.setattr("secrets.token_hex", lambda _size: "foreseen")
        (tmp_path / ".a.foreseen.new").symlink_to(precious)
        (tmp_path / "a.new").symlink_to(precious)
        with pytest.raises(FileExistsError):
            replace_file(tmp_path / "a", b"new")
        assert (precious.read_bytes(), precious.stat().st_uid) == (b"precious", owner)

    @as_root
    def test_what_root_writes_belongs_to_the_owner_of_the_folder(self, tmp_path):
        os.chown(tmp_path, 1234, 2345)
        replace_file(tmp_path / "a", b"x")
        assert ((tmp_path / "a").stat().st_uid, (tmp_path / "a").stat().st_gid) == (1234, 2345)

    @as_root
    def test_root_follows_no_link_of_others_to_the_folder(self, tmp_path):
        (tmp_path / "folder").mkdir()
        (tmp_path / "mine").symlink_to(tmp_path / "folder")
        (tmp_path / "theirs").symlink_to(tmp_path / "folder")
        os.lchown(tmp_path / "theirs", 1234, 2345)
        replace_file(tmp_path / "mine" / "a", b"x")
        with pytest.raises(OSError, match="a link that is not root's own"):
            replace_file(tmp_path / "theirs" / "b", b"x")
        assert [file.name for file in (tmp_path / "folder").iterdir()] == ["a"]


def test_what_a_power_cut_left_is_swept_and_nothing_else(tmp_path):
    (tmp_path / "facts").mkdir()
    left = [
        tmp_path / ".asked.0123456789abcdef.new",
        tmp_path / "facts" / ".torres.toml.0011223344556677.new",
    ]
    left.append(tmp_path / ".20261120-195541-torres-a-b.podesta.new")
    kept = [tmp_path / "asked", tmp_path / ".new", tmp_path / "x.new", tmp_path / ".x.0123.old"]
    for path in (*left, *kept):
        path.write_text("x")
    writing = tmp_path / ".players.0123456789abcdef.new"
    writing.write_text("x")
    (tmp_path / ".link.new").symlink_to(kept[0])
    with writing.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert sorted(remove_unfinished(tmp_path)) == sorted(left)
    assert writing.exists()
    assert all(path.exists() for path in kept)


def test_a_file_being_replaced_is_locked_while_it_has_no_name(tmp_path, monkeypatch):
    swept = []
    fsync = os.fsync

    def look(file):
        swept.append(remove_unfinished(tmp_path))
        fsync(file)

    monkeypatch.setattr(os, "fsync", look)
    replace_file(tmp_path / "asked", b"new")
    assert (tmp_path / "asked").read_bytes() == b"new"
    assert swept == [[], [], []]
