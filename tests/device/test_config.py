import os
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.config import (
    ConfigSource,
    default_state_dir,
    last_good,
    list_changed,
    load,
    load_or_last_good,
    parse,
    show,
    state_dir,
)
from device.settings import (
    Config,
    Confirm,
    DisplaySettings,
    Entries,
    Keys,
    LineSettings,
    ReadingsSettings,
    Settings,
    TableSettings,
)

SAMPLE = Path(__file__).parents[2] / "hardware" / "podesta.toml"


def problems(text: str) -> list[str]:
    return [str(problem) for problem in parse(text)[1]]


# Values ------------------------------------------------------------------------------------------------


def test_a_file_is_laid_over_the_defaults():
    assert parse("") == parse("# only a comment\n[keys]\n") == (Config(), ())
    config, wrong = parse('[keys]\nok = 4\n[[line]]\nurl = "/dev/ttyUSB0"\n[line.bind]\nnorth = "a"\n')
    assert not wrong
    assert config == Config(keys=Keys(ok=4), line=(LineSettings(url="/dev/ttyUSB0", bind={"north": "a"}),))


GOOD = [
    "table.id = 'hall-2'",
    "table.event = ''",
    "table.name = 'Tisch 3 – Fenster'",
    "state.dir = '/data'",
    "state.dir = '~/podesta'",
    "keys.ok = 26",
    "keys.factory = 'mock'",
    "keys.debounce_ms = 0",
    "keys.steps_per_detent = 2",
    "line = [{url = 'x', bind = {n = 'a'}, keys = ['n', 'pad']}]",
    "display.address = 0x77",
    "display.driver = 'none'",
    "display.rotate = 180",
    "display.idle_minutes = 0",
    "cues.led = 12",
    "cues.led = 'none'",
    "panel.port = 0",
    "confirm.readings.sure = 'auto'",
    "confirm.keys.steps = 'other'",
    "line = [{url = 'socket://box:4000', checked = true}]",
    # What is not wired takes no pins.
    "keys.ok = 2\ndisplay.driver = 'offscreen'",
    "keys.ok = 5",
    "keys.ok = 10",
    "keys.ok = 14",
]
BAD = [
    ("table.id = ''", 'table.id must be a word of up to 32 of a-z, 0-9, - and _, not ""'),
    ("table.id = 'A b'", 'table.id must be a word of up to 32 of a-z, 0-9, - and _, not "A b"'),
    ('table.name = "a\\nb"', 'table.name must be a text of up to 32 visible characters, not "a\\nb"'),
    (
        'table.name = "a\\u202eb"',
        'table.name must be a text of up to 32 visible characters, not "a\u202eb"',
    ),
    ("state.dir = 'data'", 'state.dir must be a folder beginning with / or ~, or "", not "data"'),
    ("keys.ok = 28", "keys.ok must be a whole number from 2 to 27, not 28"),
    ("keys.ok = true", "keys.ok must be a whole number from 2 to 27, not true"),
    ("keys.factory = 'pigpio'", 'keys.factory must be one of "auto", "lgpio", "mock", not "pigpio"'),
    ("keys.hold_ms = 10", "keys.hold_ms must be a whole number from 300 to 5000, not 10"),
    ("cues.led = 'off'", 'cues.led must be a whole number from 2 to 27 or "none", not "off"'),
    ("display.rotate = 90", "display.rotate must be one of 0, 180, not 90"),
    ("panel.port = 65536", "panel.port must be a whole number from 0 to 65535, not 65536"),
    ("keys = 3", "keys must be a section: [keys], not 3"),
    ("[line]\nurl = '/dev/x'", "line must be one section or more: [[line]], not a section"),
    ("[[line]]", "line[1].url is missing"),
    ("[[line]]\nurl = ''", 'line[1].url must be a text of 1 to 255 visible characters, not ""'),
    (
        "[[keypad]]\ndevice = 'x'\nok = ['enter']",
        'keypad[1].ok[1] must be a key as evtest prints it, such as KEY_KPENTER, not "enter"',
    ),
    (
        "[[keypad]]\ndevice = 'x'\nok = ['KEY_KPENTR']",
        "keypad[1].ok: no KEY_KPENTR is known here; did you mean KEY_KPENTER?",
    ),
    (
        "[[keypad]]\ndevice = 'x'\nturn = ['REL_FOO']",
        "keypad[1].turn: no REL_FOO is known here; evtest prints the names of a device's own",
    ),
    (
        "[[camera]]\nsource = 'webcam'",
        "camera[1].source must be picamera, picamera1, /dev/video0, folder:/with/pictures or simulated, "
        'not "webcam"',
    ),
    (
        "[[camera]]\nsource = 'picamera'\nfield = 'hexes'",
        'camera[1].field must be one of "area1", "area2", "board", "display", "market", "region1", '
        '"region2", "region3", "region4", "tray" or a list, not "hexes"',
    ),
    ("[[line]]\nurl = 'x'\nbind = 'a'", 'line[1].bind must be a table, not "a"'),
    ("[[line]]\nurl = 'x'\nbind = {n = 'e'}", 'line[1].bind.n must be one of "a", "b", "c", "d", not "e"'),
    (
        "[[line]]\nurl = 'x'\nbind = {'N 1' = 'a'}",
        'in line[1].bind, "N 1" must be a node id of up to 32 of a-z, 0-9, - and _',
    ),
    (
        "[[line]]\nurl = 'x'\nkeys = ['pad', 'Pad 2']",
        'line[1].keys[2] must be a node id of up to 32 of a-z, 0-9, - and _, not "Pad 2"',
    ),
]


@pytest.mark.parametrize("text", GOOD)
def test_good_values(text: str):
    assert problems(text) == []


@pytest.mark.parametrize(("text", "message"), BAD)
def test_bad_values(text: str, message: str):
    config, wrong = parse(text)
    assert [problem.message for problem in wrong] == [message]
    assert config == Config()


# Unknown keys ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "[keys]\n\ndebounc_ms = 3",
            "podesta.toml:3: unknown key keys.debounc_ms; did you mean debounce_ms?",
        ),
        ("[kyes]\nok = 3", "podesta.toml:1: unknown key kyes; did you mean keys?"),
        (
            "[display]\ndebounce_ms = 3",
            "podesta.toml:2: unknown key display.debounce_ms; did you mean keys.debounce_ms?",
        ),
        ("[panel]\nzzzz = 3", "podesta.toml:2: unknown key panel.zzzz; known here: host, port, names, act"),
        (
            "[[line]]\nurl = 'a'\n[[line]]\nurl = 'b'\nbuad = 3",
            "podesta.toml:5: unknown key line[2].buad; did you mean baud?",
        ),
    ],
)
def test_unknown_keys_name_line_and_nearest(text: str, problem: str):
    assert problems(text) == [problem]


# Used twice --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "[[keypad]]\ndevice = 'x'\nok = ['KEY_KP0']",
            "3: keypad[1].ok uses KEY_KP0 of keypad[1], already used by keypad[1].back (default)",
        ),
        ("[keys]\nok = 5\nback = 5", "3: keys.back uses pin 5, already used by keys.ok (line 2)"),
        # Whatever the order of the keys, what the file sets last is blamed.
        ("[keys]\ncall = 5\nok = 5", "3: keys.ok uses pin 5, already used by keys.call (line 2)"),
        ("[cues]\nled = 17", "2: cues.led uses pin 17, already used by keys.encoder_a (default)"),
        ("[cues]\nled = 3", "2: cues.led uses pin 3, already used by display.interface (default)"),
        (
            "[cues]\nled = 10\n[display]\ninterface = 'spi'",
            "4: display.interface uses pin 10, already used by cues.led (line 2)",
        ),
        (
            "[cues]\nled = 15\n[[line]]\nurl = '/dev/serial0'",
            "4: line[1].url uses pin 15, already used by cues.led (line 2)",
        ),
        (
            "[[line]]\nurl = 'loop://'\n[[line]]\nurl = 'loop://'",
            '4: line[2].url uses "loop://", already used by line[1].url (line 2)',
        ),
        (
            "[[line]]\nurl = 'x'\nbind = {n = 'a'}\n[[line]]\nurl = 'y'\n[line.bind]\nn = 'b'",
            "7: line[2].bind.n uses node n, already used by line[1].bind.n (line 3)",
        ),
        (
            "[[line]]\nurl = 'x'\n[line.bind]\nn = 'a'\ns = 'a'",
            "5: line[1].bind.s uses seat a, already used by line[1].bind.n (line 4)",
        ),
        (
            "[[line]]\nurl = 'x'\nkeys = ['n']\n[[line]]\nurl = 'y'\nbind = {n = 'a'}",
            "6: line[2].bind.n uses node n, already used by line[1].keys[1] (line 3)",
        ),
    ],
)
def test_nothing_is_used_twice(text: str, problem: str):
    assert problems(text) == [f"podesta.toml:{problem}"]


# Files -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "line", "part"),
    [
        (b"[keys]\nok = 4\n\xff\n", 3, "not UTF-8"),
        (b"[keys]\nok = \n", 2, "not valid TOML"),
        (b"[keys]\nok = 4\n[[line]]\nurl = '''\n\n", 4, "not valid TOML"),
        (b"\n\nx = [1,\n2\n[keys]\n", 5, "begins at line 3"),
        (b"x = " + b"[" * 5000, 1, "nested too deeply"),
    ],
)
def test_files_that_are_not_toml_name_the_line(tmp_path: Path, data: bytes, line: int, part: str):
    path = tmp_path / "podesta.toml"
    path.write_bytes(data)
    (problem,) = load(path).problems
    assert (problem.file, problem.line) == (str(path), line)
    assert part in problem.message
    assert "\n" not in str(problem)


@given(st.text(alphabet="[]{}=\"'#.\\\n\r\tkeysoln10 \x00", max_size=60))
def test_no_text_is_ever_too_much(text: str):
    config, wrong = parse(text)
    assert config == Config() or not wrong
    for problem in wrong:
        assert 0 <= problem.line <= text.count("\n") + 1
        assert "\n" not in str(problem)


# Last good ---------------------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "podesta.toml"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state" / "podesta"


def test_comes_up_on_the_last_good_config(path: Path, state: Path):
    good = b"# mine\r\n[keys]\r\nok = 4\r\n"
    path.write_bytes(good)
    first = load_or_last_good(path, state)
    assert (first.source, first.problems) == (ConfigSource.FILE, ())
    assert last_good(path, state).read_bytes() == good

    path.write_text("[keys]\nokk = 5\n")
    second = load_or_last_good(path, state)
    assert (second.config, second.source) == (first.config, ConfigSource.LAST_GOOD)
    assert [problem.line for problem in second.problems] == [2]

    path.unlink()
    assert load_or_last_good(path, state).config == first.config

    path.write_text("[keys]\nok = 5\n")
    assert load_or_last_good(path, state).config == Config(keys=Keys(ok=5))
    path.write_text("oops")
    assert load_or_last_good(path, state).config == Config(keys=Keys(ok=5))
    assert list(state.iterdir()) == [last_good(path, state)]
    assert last_good(path, state).stat().st_mode & 0o777 == 0o600


def test_a_mistake_never_brings_up_another_file(path: Path, state: Path):
    """A's last good copy names A's state folder: B must not come up in it."""
    path.write_text("state.dir = '/a'\n")
    load_or_last_good(path, state)
    other = path.with_name("other.toml")
    other.write_text("oops")
    loaded = load_or_last_good(other, state)
    assert (loaded.config, loaded.source) == (Config(), ConfigSource.DEFAULTS)
    other.write_text("state.dir = '/b'\n")
    load_or_last_good(other, state)
    for file, folder in ((other, "/b"), (path, "/a")):
        file.write_text("oops")
        assert load_or_last_good(file, state).config.state.dir == folder


@pytest.mark.timeout(20)
def test_what_is_no_plain_file_is_told_and_not_waited_for(path: Path, state: Path):
    path.write_text("keys.ok = 4")
    load_or_last_good(path, state)
    path.unlink()
    os.mkfifo(path)
    loaded = load_or_last_good(path, state)
    assert (loaded.config.keys.ok, loaded.source) == (4, ConfigSource.LAST_GOOD)
    assert [str(problem) for problem in loaded.problems] == [f"{path}: cannot be read: not a plain file"]
    path.unlink()
    path.write_bytes(b"#" * (1 << 21))
    assert "cannot be read: larger than" in str(load_or_last_good(path, state).problems[0])


def test_a_spoilt_last_good_one_and_a_state_folder_that_cannot_be_written_are_told(path: Path, state: Path):
    state.mkdir(parents=True)
    last_good(path, state).write_text("x = 1")
    path.write_text("y = 1")
    loaded = load_or_last_good(path, state)
    assert (loaded.config, loaded.source) == (Config(), ConfigSource.DEFAULTS)
    assert [problem.file for problem in loaded.problems] == [str(path), str(last_good(path, state))]
    path.write_text("keys.ok = 4")
    (state / "file").write_text("where a folder should be")
    loaded = load_or_last_good(path, state / "file")
    assert (loaded.config.keys.ok, loaded.source) == (4, ConfigSource.FILE)
    assert "no copy of the config kept" in str(loaded.problems[0])


def test_where_state_is_kept(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", "/home/ada")
    assert default_state_dir({"STATE_DIRECTORY": "/var/lib/podesta:/x"}) == Path("/var/lib/podesta")
    assert default_state_dir({"XDG_STATE_HOME": "/s"}) == Path("/s/podesta")
    # The XDG base directory specification: a relative path is to be ignored.
    assert default_state_dir({"XDG_STATE_HOME": "s"}) == Path("/home/ada/.local/state/podesta")
    assert default_state_dir({}) == Path("/home/ada/.local/state/podesta")
    config, _ = parse("state.dir = '~/p'")
    assert state_dir(config, {"STATE_DIRECTORY": "/var"}) == Path("/home/ada/p")
    assert state_dir(Config(), {"STATE_DIRECTORY": "/var"}) == Path("/var")


def test_a_clash_is_told_beside_a_section_that_is_faulty_itself():
    """Of [keys] and [cues] every key is a pin of its own; another section's pins hang on its other keys."""
    _, problems = parse("[keys]\nok = 12\nhold_ms = 1\n[cues]\nled = 12\nbuzzer = 99\n")
    assert [str(problem) for problem in problems] == [
        "podesta.toml:3: keys.hold_ms must be a whole number from 300 to 5000, not 1",
        "podesta.toml:5: cues.led uses pin 12, already used by keys.ok (line 2)",
        'podesta.toml:6: cues.buzzer must be a whole number from 2 to 27 or "none", not 99',
    ]
    _, problems = parse("[display]\ninterface = 'spi'\ndriver = 'x'\n[cues]\nled = 5\n")
    assert [problem.line for problem in problems] == [3]  # whether SPI is used nobody can tell


# Showing -----------------------------------------------------------------------------------------------


line_text = st.text(
    st.characters(exclude_categories=["C"], exclude_characters="\x7f"), min_size=1, max_size=40
)
POLICIES = st.sampled_from(["auto", "ask", "other"])
configs = st.builds(
    Config,
    table=st.builds(
        TableSettings,
        id=st.from_regex(r"\A[a-z0-9][a-z0-9_-]{0,31}\Z"),
        name=st.text(st.characters(exclude_categories=["C"]), max_size=32),
    ),
    keys=st.permutations(range(4, 10)).map(lambda pins: Keys(*("mock", *pins))),
    display=st.builds(
        DisplaySettings,
        driver=st.just("none"),
        address=st.integers(8, 0x77),
        rotate=st.sampled_from([0, 180]),
    ),
    line=st.lists(
        st.builds(LineSettings, url=line_text, checked=st.booleans()),
        max_size=3,
        unique_by=lambda line: line.url,
    ).map(tuple),
    confirm=st.builds(
        Confirm,
        keys=st.builds(Entries, steps=POLICIES, reports=POLICIES),
        line=st.builds(Entries, steps=POLICIES, reports=POLICIES),
        readings=st.builds(ReadingsSettings, sure=POLICIES, unsure=st.sampled_from(["ask", "other"])),
    ),
)


@given(configs, st.lists(st.from_regex(r"\A[a-z0-9_-]{1,32}\Z"), unique=True, max_size=4))
def test_what_is_shown_reads_back(config: Config, nodes: list[str]):
    if config.line:
        bind = dict(zip(nodes, "abcd", strict=False))
        first = msgspec.structs.replace(config.line[0], bind=bind, keys=tuple(nodes[1:]))
        config = msgspec.structs.replace(config, line=(first, *config.line[1:]))
    assert parse(show(config)) == (config, ())


# The sample file ---------------------------------------------------------------------------------------


def test_the_sample_names_every_key_once_in_order_with_its_default():
    text = re.sub(r"(?m)^#(?=[a-z_]+ = |\[)", "", SAMPLE.read_text("utf-8"))
    config, wrong = parse(text)
    assert wrong == ()
    assert msgspec.structs.replace(config, keypad=(), line=(), camera=(), scale=()) == Config()
    without = ["keypad[1].device", "line[1].url", "camera[1].source", "scale[1].source"]
    assert [line.partition(" = ")[0] for line in list_changed(config)] == without
    assert not any("default" in line for line in list_changed(config))
    named = re.findall(r"(?m)^(?:\[\[?([a-z.]+)\]\]?|([a-z_]+) = .*)$", text)
    known = re.findall(r"(?m)^(?:\[\[?([a-z.]+)\]\]?|([a-z_]+) = .*)$", show(config))
    assert named == known
    sections = {section.split(".")[0] for section, _ in named if section}
    assert sections == set(Settings.__struct_fields__), "a section that may be left out is shown too"
