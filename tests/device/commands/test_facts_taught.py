"""What cameras were taught goes out and in with a copy's facts: whole, checked, over nothing known."""

import json
import re

import pytest

from device.cli import main
from device.commands import Exit
from device.copy_file import CopyFile
from device.sensors.readers.tray import teaching as enrolment
from device.settings import CameraSettings
from device.texts import Texts
from vision.tray.palette import KeshiPalette
from vision.tray.plan import Keshi

CAMERA = CameraSettings("picamera", width=1280, height=960)
NAME = "picamera_1280x960_fixed.json"
LEARNT = enrolment.Taught(
    camera="picamera", keshi=Keshi(11.0, 7.0), palette=KeshiPalette(pieces=(1,) * 12), made="2026-11-25"
)


@pytest.fixture
def facts(tmp_path, capsys):
    """Run the command in a state directory; its exit status, output and what it complains of."""

    def run(state, *argv, game="marrakesh"):
        status = main(["facts", game, *map(str, argv), "--state", str(tmp_path / state)])
        out, err = capsys.readouterr()
        return status, out, err

    return run


@pytest.fixture
def exported(facts, tmp_path):
    """A file of another box with facts and a teaching."""
    CopyFile.of(tmp_path / "there", "marrakesh", Texts.load("en", "marrakesh")).put({}, copy="Bert's")
    LEARNT.save(tmp_path / "there", CAMERA)
    file = tmp_path / "given.toml"
    assert facts("there", "export", "--out", file)[0] == Exit.FINE
    return file


def here(tmp_path):
    """All that is known here, by file."""
    state = tmp_path / "here"
    return {str(path.relative_to(state)): path.read_bytes() for path in state.rglob("*") if path.is_file()}


def test_both_go_out_and_in(facts, exported, tmp_path):
    status, out, err = facts("here", "import", exported)
    assert (status, err) == (Exit.FINE, "")
    assert out.endswith(f"{NAME}: taught\n")
    assert enrolment.Taught.load(tmp_path / "here", CAMERA) == LEARNT
    assert set(here(tmp_path)) == {"facts/marrakesh.toml", f"palettes/{NAME}"}
    assert "teaching" not in here(tmp_path)["facts/marrakesh.toml"].decode()
    assert facts("here", "import", exported)[0] == Exit.FINE  # the same again changes nothing
    assert facts("here", "export")[1] == exported.read_text()


def test_what_was_taught_here_is_lost_only_by_force(facts, exported, tmp_path):
    own = enrolment.Taught(
        camera="picamera", keshi=Keshi(9.0, 8.0), palette=KeshiPalette(), made="2026-11-20"
    )
    own.save(tmp_path / "here", CAMERA)
    before = here(tmp_path)
    status, _, err = facts("here", "import", exported)
    assert status == Exit.WRONG
    assert f"{NAME}: was taught here otherwise" in err
    assert here(tmp_path) == before
    assert facts("here", "import", exported, "--force")[0] == Exit.FINE
    assert enrolment.Taught.load(tmp_path / "here", CAMERA) == LEARNT
    kept = here(tmp_path)[f"palettes/{NAME}.before"]
    assert json.loads(kept)["made"] == "2026-11-20"
    assert "2026-11-20" not in facts("here", "export")[1]


def line_of(text):
    return next(at for at, line in enumerate(text.splitlines(), 1) if line.startswith("teaching."))


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (
            lambda text: text.replace("2026-11-25", "2026-11-26"),
            f"teaching {NAME}: was changed after the export",
        ),
        (
            lambda text: text[: text.index("teaching.") + 900],
            r"given.toml:{line}: teaching: Un(terminated|escaped)",
        ),
        (
            lambda text: text.replace(f'"{NAME}"', '"../../evil.json"'),
            "evil.json: is the name of no such file",
        ),
        (lambda text: text.replace(f'"{NAME}"', '"a_1x1_fixed.json.sh"'), "sh: is the name of no such file"),
        (lambda text: re.sub(r"text = ", "words = ", text), f"teaching {NAME}: .*`words`"),
        (
            lambda text: re.sub(r"(?m)^teaching.*$", 'teaching."x_1x1_1.json" = 3', text),
            "teaching x_1x1_1.json: ",
        ),
        (lambda text: text.replace("Bert's", "Mara's"), "digest does not fit"),
    ],
)
def test_a_damaged_file_is_named_and_changes_nothing(facts, exported, tmp_path, damage, says):
    text = exported.read_text()
    assert damage(text) != text
    exported.write_text(damage(text))
    status, out, err = facts("here", "import", exported, "--force")
    assert (status, out) == (Exit.WRONG, "")
    assert re.search(says.format(line=line_of(text)), err), err
    assert not (tmp_path / "here").exists() or here(tmp_path) == {}


def test_of_a_game_that_no_camera_is_taught_it_is_refused(facts, exported, tmp_path):
    teaching = exported.read_text().splitlines()[line_of(exported.read_text()) - 1]
    assert facts("there", "export", "--out", tmp_path / "torres.toml", game="torres")[0] == Exit.FINE
    file = tmp_path / "torres.toml"
    file.write_text(teaching + "\n" + file.read_text())
    status, _, err = facts("here", "import", file, game="torres")
    assert status == Exit.WRONG
    assert f"{file}:1: teaching {NAME}: no camera can be taught torres" in err
