import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.line.simulate import Cable, SimulatedLine
from tests.device.conftest import in_a_loop


@given(st.binary(min_size=1))
def test_garble_flips_one_bit_a_byte(data):
    assert all((a ^ b).bit_count() == 1 for a, b in zip(Cable(1, garble=1.0).carry(data), data, strict=True))


def test_drop_loses_whole_lines():
    lines = b"".join(b"%d line\n" % number for number in range(1000))
    cable = Cable(1, drop=0.3)
    left = b"".join(cable.carry(lines[i : i + 7]) for i in range(0, len(lines), 7))
    assert set(left.splitlines()) < set(lines.splitlines())
    assert 600 < len(left.splitlines()) < 800
    assert Cable(1, drop=1.0).carry(lines) == b""


@in_a_loop
async def test_nothing_is_overwritten(tmp_path):
    (tmp_path / "near").write_text("mine")
    cable = SimulatedLine(tmp_path / "near", tmp_path / "far")
    with pytest.raises(FileExistsError, match="near"):
        cable.start()
    cable.close()
    assert (tmp_path / "near").read_text() == "mine"
