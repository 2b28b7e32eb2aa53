import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.line.simulate import Cable, SimulatedLine
from tests.device.conftest import in_a_loop


@given(st.binary(min_size=1))
def test_garble_flips_one_bit_a_byte(data):
    cable = Cable(1)
    cable.garble = 1.0
    assert all((a ^ b).bit_count() == 1 for a, b in zip(cable.carry(data), data, strict=True))


@in_a_loop
async def test_nothing_is_overwritten(tmp_path):
    (tmp_path / "near").write_text("mine")
    cable = SimulatedLine(tmp_path / "near", tmp_path / "far")
    with pytest.raises(FileExistsError, match="near"):
        cable.start()
    cable.close()
    assert (tmp_path / "near").read_text() == "mine"
