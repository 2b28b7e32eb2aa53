"""`podesta tray`: the self-test and counting in, on a simulated scale; who may not."""

import io

import msgspec
import pytest

from device import cli
from device.commands import Exit
from device.commands.tray import Feeling, ScaleReport, count_in, run_tests, simulate_scale
from device.files import hold_folder
from device.sensors.scale import Calibrating, load
from device.telemetry import Weight
from device.texts import Texts
from vision.scale import PieceCalibration

TEXTS = Texts.load(strict=True)


def config(tmp_path, text='[[scale]]\nsource = "nau7802"\nbus = 22\n'):
    file = tmp_path / "podesta.toml"
    file.write_text(text)
    return ["--config", str(file), "--state", str(tmp_path / "state")]


# The self-test


def test_a_fit_scale_passes_and_says_so_as_json(capsys):
    assert cli.main(["tray", "selftest", "--simulated", "--json"]) == Exit.FINE
    found = msgspec.json.decode(capsys.readouterr().out, type=ScaleReport)
    assert found.fine
    assert [test.name for test in found.tests] == ["rate", "saturation", "noise", "different values", "press"]


@pytest.mark.parametrize(
    ("fault", "names"),
    [
        ("unplug", {"rate"}),
        ("saturate", {"saturation", "different values", "press"}),
        ("shake", {"noise"}),
    ],
)
def test_what_is_wrong_fails_with_a_remedy(fault, names):
    clock, source, table = simulate_scale()
    getattr(table, fault)(60_000)
    failed = {test.name: test for test in run_tests(Feeling(source, lambda _: None, clock), lambda: None)}
    failed = {name: test for name, test in failed.items() if not test.fine}
    assert (len(failed) == 1) == (fault == "unplug")
    assert failed.keys() >= names
    assert all(test.remedy and test.limit for test in failed.values())


def test_a_converter_that_is_not_there_fails(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("device.commands.tray.FIGURES_S", 0.1)
    monkeypatch.setattr("device.sensors.scale.sources.AGAIN_S", 0.1)
    assert cli.main(["tray", "selftest", *config(tmp_path)]) == Exit.WRONG
    (only, remedy) = capsys.readouterr().out.splitlines()
    assert only.startswith("FAIL rate: no samples (nau7802: [Errno 2] No such file or directory")
    assert "/dev/i2c-22" in only
    assert remedy.startswith("     Look at")


def test_a_line_that_is_not_there_is_named(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("device.commands.tray.FIGURES_S", 0.5)
    options = config(tmp_path, '[[scale]]\nsource = "line:tray-1"\n[[line]]\nurl = "/dev/nope"\n')
    assert cli.main(["tray", "selftest", *options]) == Exit.WRONG
    (only, _) = capsys.readouterr().out.splitlines()
    assert only == "FAIL rate: no samples (/dev/nope: not plugged in) (≥ 8)"
    monkeypatch.setattr("device.commands.tray.PATIENCE_S", 0.5)
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    assert cli.main(["tray", "calibrate", *options]) != Exit.FINE
    assert "no weight at rest within 0.5 s (/dev/nope: not plugged in)" in capsys.readouterr().err


def test_a_simulated_one_says_how_to_lay_and_press_and_names_what_is_no_table(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("device.commands.tray.FIGURES_S", 0.0)
    monkeypatch.setattr("device.commands.tray.PATIENCE_S", 0.0)
    monkeypatch.setattr("device.commands.tray.on_a_pi", lambda: False)
    options = config(tmp_path, '[[scale]]\nsource = "simulated"\n')
    cli.main(["tray", "selftest", *options])
    table = tmp_path / "state" / "simulated_table.json"
    assert f'SIMULATED: the tray holds what {table} has as "keshis"' in capsys.readouterr().err
    table.write_text('{"keshis": 3}')
    monkeypatch.setattr("device.commands.tray.FIGURES_S", 5.0)
    assert cli.main(["tray", "selftest", *options]) == Exit.UNREADABLE
    assert f"{table}: keshis: Expected `array`, got `int`" in capsys.readouterr().err


# Counting in


class Laying:
    """A simulated scale on which somebody lays the next piece whenever the last was counted."""

    def __init__(self, laid):
        self.clock, self._source, self.table = simulate_scale()
        self._laid = iter(laid)
        self.said = []

    def messages(self):
        return self._source.messages()

    def say(self, line):
        self.said.append(line)
        if kinds := next(self._laid, None):
            self.table.lay(kinds)
            for _ in range(20):  # whoever lays them on takes a moment
                self._source.messages()

    def count(self, pieces, monkeypatch, **how):
        monkeypatch.setattr("device.commands.tray.say", self.say)
        monkeypatch.setattr("sys.stdin", io.StringIO("\n" * 9))
        calibrating = Calibrating(PieceCalibration())
        feeling = Feeling(self, lambda _: None, self.clock)
        calibrating.rests(feeling.rest())
        count_in(calibrating, feeling, pieces, TEXTS, **how)
        return calibrating.calibration


def test_two_at_once_are_told_and_teach_nothing(monkeypatch):
    laying = Laying([*([kind] for kind in range(8)), [8, 9], [10], [11]])
    found = laying.count(10, monkeypatch)
    assert found.pieces == 10
    assert any("not one piece" in line for line in laying.said)
    assert abs(found.mean_mg - 540) < 540 * 0.05


def test_pieces_laid_on_at_once_are_learnt(monkeypatch):
    found = Laying([list(range(10)) * 2]).count(20, monkeypatch, at_once=True)
    assert found.pieces == 20
    assert abs(found.mean_mg - 540) < 540 * 0.04


def test_the_calibration_is_kept_for_the_scale_of_the_settings(tmp_path, capsys, monkeypatch):
    weights = iter([0, *range(1000, 41_000, 1000)])

    class Ready:
        def messages(self):
            return [Weight(next(weights), 4, rests=True)]

    monkeypatch.setattr("device.commands.tray.weighing.open_source", lambda scale, door: Ready())
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    assert cli.main(["tray", "calibrate", *config(tmp_path)]) == Exit.FINE
    assert "40 pieces" in capsys.readouterr().out
    assert load(tmp_path / "state" / "sensors" / "scale", "nau7802").pieces == 40


# Who may not


def test_a_running_box_keeps_its_scale(tmp_path, capsys):
    with hold_folder(tmp_path / "state"):
        assert cli.main(["tray", "calibrate", *config(tmp_path)]) == Exit.BUSY
    assert "another podesta" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is no [[scale]] in the settings"),
        ('[[scale]]\nsource = "line:tray-1"\n', "there is no [[line]] in the settings"),
    ],
)
def test_what_the_settings_lack_is_said(tmp_path, capsys, text, said):
    assert cli.main(["tray", "selftest", *config(tmp_path, text)]) == Exit.USAGE
    assert said in capsys.readouterr().err


def test_a_simulated_scale_is_for_no_raspberry_pi(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("device.commands.tray.on_a_pi", lambda: True)
    options = config(tmp_path, '[[scale]]\nsource = "simulated"\n')
    assert cli.main(["tray", "calibrate", *options]) == Exit.USAGE
    assert "needs a simulated box" in capsys.readouterr().err
