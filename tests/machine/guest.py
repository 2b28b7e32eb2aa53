"""What is done on the machine, by the installed package's Python: ``python -m tests.machine.guest TASK…``.

Each task prints one JSON object with what it saw, which the test outside judges.
"""

import hashlib
import http.client
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

HOST = Path("/host")
STATE = Path("/var/lib/podesta")
SCREEN = Path("/run/podesta/screen.png")
STICK = Path("/run/podesta/stick")
HOME = Path("/var/cache/podesta")
SETTINGS = Path("/etc/podesta/podesta.toml")
BOX_PYTHON = "/usr/lib/podesta/bin/python3"
SHADOW = Path("/var/tmp/shadow")
PLUG_INS = Path(f"/usr/local/lib/python3.{sys.version_info.minor}/dist-packages")
LOOP = Path("/etc/podesta/loop")
HUNGER = Path("/etc/podesta/hunger")
GLUTTON = f"""
import pathlib
import msgspec
from device.sensors import Sensor

class Settings(msgspec.Struct):
    pass

def check(settings, folder):
    return iter(())

def run(settings, door):
    eaten = []
    while True:
        door.status("content")
        while pathlib.Path("{HUNGER}").exists():
            eaten.append(bytes(range(256)) * 4096 * 4)
            door.wait(0.01)
        eaten.clear()
        door.wait(0.2)

SENSOR = Sensor("glutton", Settings, check, run)
"""
"""A sensor that takes memory as long as a file is there."""
PATIENCE_S = 120
LOOK_S = 0.4
UP_S, STEADY_S = os.environ.get("UP_S", "40"), os.environ.get("STEADY_S", "8")
"""A version that does not come up is given less time than 150 and 60 s: a boot is costly."""
BACKUP = "podesta-backup-20261127-200000.tar.gz"
WRITES = {"backup": "Backup of everything", "export": "Matches, for the organiser"}
"""What is written to a stick by the keys: the label of its entry."""
START = ("systemctl", "start", "--no-block", "podesta-update.service")


def said(*command: str) -> str:
    """Return what a command prints, whatever its status."""
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def unit(name: str) -> str:
    """A property of the service."""
    return said("systemctl", "show", "podesta", "--value", "-p", name)


def since(*names: str) -> list[float]:
    """When something happened to the service, in seconds since power-up: several at the price of one."""
    told = said("systemctl", "show", "podesta", *(f"-p{name}TimestampMonotonic" for name in names))
    at = dict(line.split("=") for line in told.splitlines())
    return [int(at[f"{name}TimestampMonotonic"]) / 1e6 for name in names]


def uptime() -> float:
    return float(Path("/proc/uptime").read_text().split()[0])


def asked() -> dict[str, Any]:
    """Return what the page says; OSError while nobody answers."""
    connection = http.client.HTTPConnection("127.0.0.1", 8080, timeout=10)
    try:
        connection.request("GET", "/status")
        answer: dict[str, Any] = json.loads(connection.getresponse().read())
        return answer
    finally:
        connection.close()


def until(holds: Callable[[], Any], what: str, patience: float = PATIENCE_S) -> Any:
    """Wait until something holds, and return it; what is not there yet does not."""
    end, pause = time.monotonic() + patience, 0.1
    while time.monotonic() < end:
        try:
            if found := holds():
                return found
        except (OSError, http.client.HTTPException, ValueError):
            pass
        time.sleep(pause)
        pause = min(1.1 * pause, LOOK_S)  # what looks all the time slows down what it waits for
    shows = _shows()
    log = said("journalctl", "-u", "podesta", "-b", "-n", "40")
    raise SystemExit(f"not within {patience} s: {what}\n{shows}\n{log}")


def _shows() -> str:
    try:
        return "\n".join(asked()["text"])
    except (OSError, http.client.HTTPException, ValueError) as error:
        return f"nothing: {error}"


def shown(words: str) -> bool:
    return words in "\n".join(asked()["text"])


def active() -> bool:
    """Return True if the box answers and has told the service manager that it is ready."""
    # A systemctl costs as much here as ten questions to the page: it is asked once the page answers.
    return bool(asked()) and unit("ActiveState") == "active"


def fingers():
    """Somebody's hand at the keys, as edges on the kernel's lines, and the chip."""
    os.environ["GPIO_SIM"] = "/run/pins"
    from tests.gpio_chip import chip
    from tests.gpio_chip.chip import Chip, ChipFingers

    class SlowChip(Chip):
        """Contacts that a box with a part of a core can follow: edges come apart from each other, too."""

        def contact(self, number: int, closed: bool) -> None:
            super().contact(number, closed)
            time.sleep(0.02)

    chip.MARGIN_S = 0.06
    until(lambda: asked()["status"]["keys"], "the box has its keys")
    made = SlowChip()
    return ChipFingers(made), made


def player():
    """Somebody at the keys: a hand, and eyes on the screen's picture."""
    from tests.e2e import daemon_process
    from tests.e2e.daemon_process import DaemonProcess
    from tests.e2e.keys_driver import Player

    daemon_process.LOOK_S = 0.1

    class Service(DaemonProcess):
        """The box as the service manager runs it."""

        def __init__(self) -> None:
            self.state, self.port, self._screen_file = STATE, 8080, SCREEN
            self._process = SimpleNamespace(poll=lambda: None)  # type: ignore[assignment]

        @property
        def log(self) -> str:
            return said("journalctl", "-u", "podesta", "-n", "40")

    # The far end of the simulated port may send back what came before it was a raw terminal; nobody is there
    # to greet the box anew, and its header goes on saying so.
    if any(line["why"] for line in asked()["status"]["lines"]):
        subprocess.run(["systemctl", "restart", "podesta"], check=True)
        until(active, "the box is ready")
    hand, chip = fingers()
    SHADOW.mkdir(exist_ok=True)
    return Player(Service(), hand, SHADOW), chip


def up() -> dict[str, Any]:
    """Wait for the box, and measure its way there from power-up."""
    until(active, "the box is ready")
    main, ready = since("ExecMainStart", "ActiveEnter")
    return {"ready_s": ready, "start_s": ready - main}


def looks() -> dict[str, Any]:
    """Look at the service and at the box from all sides."""
    status = asked()
    return {
        "memory_mb": int(unit("MemoryCurrent")) / 1e6,
        "restarts": int(unit("NRestarts")),
        "bus": Path("/var/log/raspi-config").read_text(),
        "camera": said("dpkg-query", "-W", "-f", "${db:Status-Status}", "python3-picamera2"),
        "simulated": status["simulated"],
        "keys": until(lambda: asked()["status"]["keys"], "keys"),
        "lines": asked()["status"]["lines"],
        "text": status["text"],
        "problems": status["status"]["problems"],
        "recorded": status["status"]["recorded"],
        "owner": said("stat", "-c", "%U %a", str(STATE)),
        "exposure": said("systemd-analyze", "security", "podesta", "--no-pager").splitlines()[-1],
        "failed": said("systemctl", "--failed", "--plain", "--no-legend"),
    }


def pins() -> dict[str, Any]:
    """Play the first steps of a recorded game by nothing but edges on the kernel's lines."""
    from tests.e2e.whole_game import play, recorded_game

    hand, chip = player()
    steps = int(os.environ.get("STEPS", "4"))
    began = time.monotonic()
    play(hand, recorded_game(), steps)
    shutil.copy(SCREEN, HOST / "pins.png")
    hand.close()
    return {
        "steps": steps,
        "recorded": asked()["status"]["recorded"],
        "presses": hand.presses,
        "edges": chip.edges,
        "seconds": time.monotonic() - began,
    }


def _choose(fingers: Any, label: str) -> None:
    """Turn to a line by what the box says it shows, and press OK."""
    from device.keys import Key

    def there() -> bool:
        lines = [line for line in asked()["text"] if line.startswith(">")]
        if lines and lines[0].removeprefix(">").strip() == label:
            return True
        fingers.turn(1)
        time.sleep(0.4)
        return False

    until(there, f"the line {label}")
    time.sleep(0.8)
    fingers.press(Key.OK)
    time.sleep(0.4)


def plug_in() -> None:
    """Plug a stick in. It is the second disk: the rule for USB has to be said of it here."""
    rule = (
        'SUBSYSTEM=="block", KERNEL=="ubdb", TAG+="systemd", ENV{SYSTEMD_WANTS}+="podesta-stick@%k.service"'
    )
    Path("/run/udev/rules.d").mkdir(exist_ok=True)
    Path("/run/udev/rules.d/99-stick.rules").write_text(f"{rule}\n")
    said("udevadm", "control", "--reload")
    said("udevadm", "trigger", "--action=add", "--name-match=/dev/ubdb")
    until(lambda: os.path.ismount(STICK), "the stick is mounted")


def stick() -> dict[str, Any]:
    """Plug a stick in while the match is open, write to it by the keys, and pull it out."""
    from device.keys import Key

    plug_in()
    hand, _ = fingers()
    hand.press(Key.BACK, 2.0)
    for label in ("Home", "Set-up", "Stick", "Matches, for the organiser"):
        _choose(hand, label)
    began = uptime()
    until(lambda: shown("is on the") or shown("Nothing was"), "it says what came of it")
    seconds = uptime() - began
    shutil.copy(SCREEN, HOST / "stick.png")
    found = {
        "seconds": seconds,
        "text": " ".join(asked()["text"]),
        "files": os.listdir("/run/podesta/stick"),
        "mounted": said("findmnt", "-n", "-o", "OPTIONS", "/run/podesta/stick"),
        "log": said("journalctl", "-u", "podesta-stick@*", "-n", "20"),
    }
    said("systemctl", "stop", "podesta-stick@ubdb")
    hand.press(Key.BACK)
    hand.press(Key.BACK)
    found["gone"] = not os.path.ismount("/run/podesta/stick")
    return found


def become() -> dict[str, Any]:
    """Take a box's file of an event from the stick by the keys, and wait for the box to be back by itself."""
    _slow()
    subprocess.run(["systemctl", "restart", "podesta"], check=True)
    until(active, "the box is ready")
    plug_in()
    hand, _ = fingers()
    before = int(unit("NRestarts"))
    _entries(hand, "Set-up", "Stick", "Join an event", "table-02", "Join an event")
    text = until(lambda: shown("The box restarts") and asked()["text"], "it says what came of it")
    shutil.copy(SCREEN, HOST / "become.png")
    began = uptime()
    until(lambda: int(unit("NRestarts")) > before and active(), "it is started again")
    seconds = uptime() - began
    hand, _ = fingers()
    _entries(hand, "Set-up", "Stick")
    until(lambda: shown("Backup of everything"), "the stick is there for the new process, too")
    names = ("place", "box.key")
    for name in names:
        shutil.copy(STATE / name, HOST)
    return {
        "seconds": seconds,
        "text": " ".join(text),
        "again": [before, int(unit("NRestarts"))],
        "result": unit("Result"),
        "starts": json.loads(Path("/run/podesta/starts").read_text())["failed"],
        "owners": [said("stat", "-c", "%U %a", str(STATE / name)) for name in names],
        "problems": asked()["status"]["problems"],
        "failed": said("systemctl", "--failed", "--plain", "--no-legend"),
        "log": said("journalctl", "-u", "podesta", "-b", "-n", "40"),
    }


def _restarted(how: str) -> dict[str, Any]:
    turn, recorded = asked()["status"]["turn"], asked()["status"]["recorded"]
    pid, began = unit("MainPID"), uptime()
    subprocess.run(["kill", how, pid], check=True)
    # A systemctl each time would be half of what the machine does meanwhile.
    until(lambda: not Path(f"/proc/{pid}").exists(), "it has ended")
    until(lambda: asked() and active(), "it is started again")
    back = uptime() - began
    main, ready = since("ExecMainStart", "ActiveEnter")
    return {
        "seconds": back,
        "noticed_s": main - began,
        "start_s": ready - main,
        "worked_s": int(unit("CPUUsageNSec")) / 1e9,
        "turns": [turn, asked()["status"]["turn"]],
        "recorded": [recorded, asked()["status"]["recorded"]],
        "journal": said("journalctl", "-u", "podesta", "-b", "--grep", "atchdog|SIGKILL|KILL$"),
    }


def stop() -> dict[str, Any]:
    """Stop the process as nothing but a SIGCONT would wake it."""
    return _restarted("-STOP")


def kill() -> dict[str, Any]:
    """Kill it."""
    return _restarted("-KILL")


def full() -> dict[str, Any]:
    """Fill the disk while steps are entered by the keys, then make room and touch nothing.

    What fits into the last block of the journal is still recorded.
    """
    from device.bench.presses import Pilot
    from device.keys import Press, Turn
    from tests.e2e.whole_game import recorded_game

    hand, _ = player()
    before, steps = asked()["status"]["recorded"], recorded_game().steps
    filler = Path("/var/tmp/filler")
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                pass
    at = before
    while not shown("NOT SAVED"):
        for event in Pilot(hand.shadow).events(steps[at]):
            if isinstance(event, Turn):
                hand.fingers.turn(event.steps)
            elif isinstance(event, Press):
                time.sleep(0.8)
                hand.fingers.press(event.key)
            hand.shadow.key(event)
        at += 1
        until(lambda at=at: shown("NOT SAVED") or asked()["status"]["recorded"] == at, f"step {at} is done")
    kept = asked()["status"]["recorded"]
    shutil.copy(SCREEN, HOST / "full.png")
    hand.close()
    filler.unlink()
    began = uptime()
    until(lambda: asked()["status"]["recorded"] == at, "it is recorded once there is room")
    return {"kept": kept, "entered": at, "seconds": uptime() - began, "text": asked()["text"]}


def loop() -> dict[str, Any]:
    """Install a game whose list of steps loops while a file is there, open a match of it, and let it loop."""
    toy, there = Path("tests/engines/grid_toy"), PLUG_INS / "stones"
    shutil.copytree(toy, there, ignore=shutil.ignore_patterns("__pycache__"))
    code = (there / "__init__.py").read_text("utf-8")
    begin = "    def legal(self, state, seat=None):\n"
    hang = f"        while __import__('os').path.exists('{LOOP}'):\n            pass\n"
    (there / "__init__.py").write_text(code.replace(begin, begin + hang), "utf-8")
    from tests.engines.newcomers import told

    told(PLUG_INS, "grid_toy", "stones:GAME")
    subprocess.run(["systemctl", "stop", "podesta"], check=True)
    code = (
        "from pathlib import Path\nfrom device.match import Library, Header\n"
        f"from engines.contract import Setup\nlibrary = Library(Path('{STATE}'))\n"
        "match = library.open_match(Header('grid_toy', ('Ada', 'Leo'), Setup()))\n"
        "match.step('Bb2', channel='keys'); match.wait(); library.leave()"
    )
    subprocess.run(["runuser", "-u", "podesta", "--", BOX_PYTHON, "-sP", "-c", code], check=True, cwd="/")
    LOOP.touch()
    began = uptime()
    subprocess.run(["systemctl", "start", "--no-block", "podesta"], check=True)
    until(lambda: active() and shown("Safe mode"), "safe mode", 3 * PATIENCE_S)
    shutil.copy(SCREEN, HOST / "safe.png")
    return {
        "seconds": uptime() - began,
        "restarts": int(unit("NRestarts")),
        "text": asked()["text"],
        "problems": asked()["status"]["problems"],
        "journal": said("journalctl", "-u", "podesta", "-n", "200"),
    }


def greedy() -> dict[str, Any]:
    """Have a sensor take all memory there is, while a match is open; then leave it in peace."""
    (PLUG_INS / "glutton.py").write_text(GLUTTON, "utf-8")
    from tests.engines.newcomers import told

    told(PLUG_INS, "glutton", "glutton:SENSOR", "podesta.sensors")
    with SETTINGS.open("a", encoding="utf-8") as file:
        file.write("\n[[glutton]]\n")
    less = Path("/run/systemd/system/podesta.service.d/less.conf")  # the machine ends before 80 %
    less.parent.mkdir(parents=True)
    less.write_text("[Service]\nMemoryMax=250M\n")
    said("systemctl", "daemon-reload")
    subprocess.run(["systemctl", "stop", "podesta"], check=True)
    _leave_a_match("Ada", "Leo", over=False)
    subprocess.run(["systemctl", "start", "podesta"], check=True)
    until(lambda: active() and _says("glutton") == "content", "the sensor is content")
    before, pid, began = asked()["status"], unit("MainPID"), uptime()
    HUNGER.touch()
    slowest, most = 0.0, 0.0
    while (says := _says("glutton")) == "content" and uptime() - began < PATIENCE_S:
        asking = uptime()
        asked()
        slowest, most = max(slowest, uptime() - asking), max(most, int(unit("MemoryCurrent")) / 1e6)
        time.sleep(0.2)
    gone = uptime() - began
    shutil.copy(SCREEN, HOST / "greedy.png")
    HUNGER.unlink()
    until(lambda: _says("glutton").startswith("content"), "the sensor is content again")
    return {
        "seconds": gone,
        "slowest": slowest,
        "most_mb": most,
        "says": says,
        "killed": said("journalctl", "-k", "-b", "--grep", "Memory cgroup out of memory", "-o", "cat"),
        "pids": [pid, unit("MainPID")],
        "restarts": int(unit("NRestarts")),
        "recorded": [before["recorded"], asked()["status"]["recorded"]],
    }


def _says(sensor: str) -> str:
    return next((one["says"] for one in asked()["status"]["sensors"] if one["sensor"] == sensor), "")


def neither() -> dict[str, Any]:
    """Have neither version start, as an update leaves it that failed and could not go back."""
    program = Path("/usr/bin/podesta")
    kept = program.read_bytes()
    came = {"id": "x", "said": "stuck", "version": "0.3.0", "code": "not_up", "why": "150"}
    (HOME / "result.json").write_text(json.dumps(came))
    program.write_text("#!/bin/sh\nexit 1\n")
    began = uptime()
    subprocess.run(["systemctl", "kill", "-s", "KILL", "podesta"], check=True)
    said_there = until(_last_words, "a page says that the box does not start")
    found = {"seconds": uptime() - began, "page": said_there}
    found["same"] = SCREEN.read_bytes() == Path("/usr/lib/podesta/notice/notice.png").read_bytes()
    shutil.copy(SCREEN, HOST / "neither.png")
    program.write_bytes(kept)
    until(active, "the box is back once its program is")
    return {**found, "back": asked()["text"], "log": said("journalctl", "-u", "podesta", "-b", "-n", "30")}


def _last_words() -> str:
    connection = http.client.HTTPConnection("127.0.0.1", 8080, timeout=10)
    try:
        connection.request("GET", "/")
        answer = connection.getresponse()
        return answer.read().decode() if answer.status == 503 else ""
    finally:
        connection.close()


def states() -> dict[str, Any]:
    """Work at a shell: as root, and as somebody who has no right to the service's state."""
    said("useradd", "--create-home", "ada")
    root = subprocess.run(
        ["podesta", "facts", "torres", "sample"], capture_output=True, text=True, check=False
    )
    other = subprocess.run(
        ["runuser", "-u", "ada", "--", "podesta", "facts", "torres", "check"],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    return {
        "root": [root.returncode, root.stderr],
        "owner": said("stat", "-c", "%U", str(STATE / "facts"), str(STATE / "facts" / "torres.toml")),
        "other": [other.returncode, other.stderr],
        "second": said("find", "/home/ada", "/root", "-name", "podesta*"),
    }


def _python(code: str) -> None:
    """Run a few lines with the box's rights and library."""
    command = ["runuser", "-u", "podesta", "--", BOX_PYTHON, "-sP", "-c", code]
    subprocess.run(command, check=True, cwd="/")


def _leave_a_match(*names: str, over: bool = True) -> None:
    """Leave a match with one step in it, open or given up; the service is stopped."""
    _python(
        "from pathlib import Path\nfrom device.match import Header, Library\n"
        "from device.match.rulings import Abandon\nfrom engines.contract import Setup\n"
        f"library = Library(Path('{STATE}'))\n"
        f"match = library.open_match(Header('san_gimignano', {names!r}, Setup()))\n"
        "match.step('8 6 10 9', channel='keys')\n"
        f"if {over}: match.rule(Abandon(), channel='keys')\n"
        "match.wait(); library.leave()"
    )


def _digests() -> dict[str, str]:
    """Matches, facts and settings: what no update may touch."""
    files = [SETTINGS, *(path for name in ("matches", "facts") for path in (STATE / name).rglob("*"))]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files if path.is_file()}


def _version() -> str:
    return said("dpkg-query", "-W", "-f", "${Version} ${db:Status-Status}", "podesta")


def evening() -> dict[str, Any]:
    """Leave a match that was played, facts and settings of one's own; trust a key, have less patience."""
    subprocess.run(["systemctl", "stop", "podesta"], check=True)
    _leave_a_match("Ada", "Leo")
    said("podesta", "facts", "torres", "sample")
    with SETTINGS.open("a", encoding="utf-8") as file:
        file.write('\n[table]\nname = "Corner"\n')
    shutil.copy(HOST / "friends.pub", "/etc/podesta/trusted.d")
    patience = Path("/etc/systemd/system/podesta-update.service.d/patience.conf")
    patience.parent.mkdir(parents=True, exist_ok=True)
    patience.write_text(f"[Service]\nEnvironment=PODESTA_UP_S={UP_S} PODESTA_STEADY_S={STEADY_S}\n")
    _slow()
    subprocess.run(["systemctl", "start", "podesta"], check=True)
    until(active, "the box is ready")
    return {"digests": _digests()}


def _slow() -> None:
    """Give the box more time than on a Pi, from its next start on: on a loaded host it answers slowly."""
    slow = Path("/etc/systemd/system/podesta.service.d/slow.conf")
    slow.parent.mkdir(parents=True, exist_ok=True)
    slow.write_text("[Service]\nWatchdogSec=20\n")
    said("systemctl", "daemon-reload")


def _entries(hand: Any, *labels: str) -> None:
    """Go through lists by what the lines say; what is told before a list is read."""
    from device.keys import Key

    for label in labels:
        while not any(line.startswith(">") for line in asked()["text"]):
            time.sleep(0.8)
            hand.press(Key.OK)
            time.sleep(0.4)
        _choose(hand, label)


def _came(before: str = "") -> dict[str, Any]:
    """Wait for what came of a request, as root leaves it and as the box shows it."""

    def there() -> Any:
        result = json.loads((HOME / "result.json").read_text())
        return result if result["id"] != before else None

    began = uptime()
    result = until(there, "something came of it", 3 * PATIENCE_S)
    until(active, "the box is ready")
    until(lambda: shown("The box"), "it says what came of it")
    return {**result, "seconds": uptime() - began, "text": " ".join(asked()["text"])}


def _state() -> dict[str, Any]:
    return {
        "version": _version(),
        "digests": _digests(),
        "home": sorted(path.name for path in HOME.iterdir()),
        "previous": sorted(path.name for path in (HOME / "previous").glob("*")),
        "restarts": int(unit("NRestarts")),
        "failed": said("systemctl", "--failed", "--plain", "--no-legend"),
        "audit": said("dpkg", "--audit"),
        "log": said("journalctl", "-u", "podesta-update", "-b", "-n", "60", "-o", "cat"),
        "box": said("journalctl", "-u", "podesta", "-b", "-n", "60", "-o", "short-monotonic"),
    }


def update() -> dict[str, Any]:
    """Install a signed release from a stick by the keys."""
    plug_in()
    for file in (HOST / "release").iterdir():
        shutil.copy(file, STICK)
    hand, _ = fingers()
    _entries(hand, "Set-up", "Stick", "Update to 0.2.0", "Update to 0.2.0")
    shutil.copy(SCREEN, HOST / "begun.png")
    found = _came()
    shutil.copy(SCREEN, HOST / "updated.png")
    return {**found, **_state()}


def ask(what: str, name: str = "") -> None:
    """Ask as the menu does, with the box's own rights."""
    request = f'{{"what": "{what}", "name": "{name}"}}'
    told = f"import pathlib; pathlib.Path('/run/podesta/asked.json').write_text({request!r})"
    _python(f"{told}; import subprocess; subprocess.run({list(START)!r}, check=True)")


def cut() -> dict[str, Any]:
    """Have a broken release installed, and lose the power while dpkg is at it."""
    if not STICK.is_mount():
        plug_in()
    for file in (HOST / "broken").iterdir():
        shutil.copy(file, STICK)
    ask("update", next(path.name for path in STICK.glob("*0.3.0*.update")))
    until(lambda: (HOME / "installing").exists() and said("pgrep", "-x", "dpkg"), "dpkg is at it")
    time.sleep(float(os.environ.get("AFTER", "1")))
    (HOST / "told").touch()
    time.sleep(60)
    return {}


def later() -> dict[str, Any]:
    """Back everything up to the stick, then go on: a match more, other settings."""
    plug_in()
    subprocess.run(["podesta", "backup", str(STICK / BACKUP)], check=True, capture_output=True)
    before = _digests()
    subprocess.run(["systemctl", "stop", "podesta"], check=True)
    _leave_a_match("Eva", "Max")
    with SETTINGS.open("a", encoding="utf-8") as file:
        file.write("# later\n")
    subprocess.run(["systemctl", "start", "podesta"], check=True)
    return {"before": before, "digests": _digests()}


def cut_anywhere() -> dict[str, Any]:
    """Ask for something, and lose the power after a moment, whatever is being done then."""
    what = os.environ["WHAT"]
    plug_in()
    if what in ("reset", "restore"):
        with SETTINGS.open("a", encoding="utf-8") as file:
            file.write("# later\n")
    (HOST / "mine.json").write_text(json.dumps(_digests()))
    if what in WRITES:
        until(active, "the box is ready")
        hand, _ = fingers()
        _home(hand)
        _entries(hand, "Set-up", "Stick", WRITES[what])
    elif what == "update" and _version().startswith("0.2.0"):
        ask("back")
    elif what == "update":
        for file in (HOST / "release").iterdir():
            shutil.copy(file, STICK)
        ask("update", next(path.name for path in STICK.glob("*0.2.0*.update")))
    else:
        ask(what, BACKUP if what == "restore" else "")
    if what not in WRITES:  # what was asked for is in memory until then, and gone with the power
        until(lambda: any((HOME / name).exists() for name in ("asked.json", "job.json")), "root is at it")
    time.sleep(float(os.environ["AFTER"]))
    (HOST / "told").touch()
    time.sleep(60)
    return {}


def opened() -> dict[str, Any]:
    """Have a match open that was begun, and keep its journal outside."""
    subprocess.run(["systemctl", "stop", "podesta"], check=True)
    _leave_a_match("Ada", "Leo", over=False)
    shutil.copytree(STATE / "matches", HOST / "begun")
    subprocess.run(["systemctl", "start", "podesta"], check=True)
    until(active, "the box is ready")
    return {}


def cut_dpkg() -> dict[str, Any]:
    """Lose the power after a moment of an installation by hand, the first one or one over another version."""
    if os.environ["WHAT"] == "install":
        subprocess.run(["dpkg", "-P", "podesta"], check=True, capture_output=True)
    os.sync()
    subprocess.Popen(["dpkg", "-i", f"/host/{os.environ['DEB']}.deb"])
    time.sleep(float(os.environ["AFTER"]))
    (HOST / "told").touch()
    time.sleep(60)
    return {}


def mended() -> dict[str, Any]:
    """Do what dpkg asks for that was cut off, install once more, and wait for the box."""
    found, was = _version(), unit("ActiveState")
    subprocess.run(["dpkg", "--configure", "-a"], check=False, capture_output=True)
    again = subprocess.run(
        ["dpkg", "-i", f"/host/{os.environ['WAS']}.deb"], capture_output=True, text=True, check=False
    )
    assert again.returncode == 0, again.stderr
    until(active, "the box is ready")
    journals = [(STATE / "matches" / begun.name, begun) for begun in (HOST / "begun").glob("*.podesta")]
    kept = [now.exists() and now.read_bytes().startswith(old.read_bytes()) for now, old in journals]
    return {"found": found, "was": was, "kept": kept, "text": asked()["text"], **_state()}


def settled() -> dict[str, Any]:
    """Wait until nothing is being done any more and the box is up."""
    plug_in()
    marks = [HOME / name for name in ("asked.json", "job.json", "installing")]
    until(lambda: active() and not any(mark.exists() for mark in marks), "all is done", 2 * PATIENCE_S)
    starts = json.loads(Path("/run/podesta/starts").read_text())
    result = HOME / "result.json"
    came = json.loads(result.read_text()) if result.exists() else {}
    shutil.copytree(STICK, HOST / "stick", dirs_exist_ok=True)
    return {**_state(), "starts": starts["failed"], "came": came, "text": asked()["text"]}


def resumed() -> dict[str, Any]:
    """Look at what came of an installation that the power was cut under."""
    before = json.loads((HOME / "result.json").read_text())["id"] if (HOME / "job.json").exists() else ""
    found = _came(before)
    shutil.copy(SCREEN, HOST / "went_back.png")
    return {**found, **_state()}


def _home(hand: Any) -> None:
    """Go up to the home screen, however deep one is."""
    from device.keys import Key

    def there() -> bool:
        if shown("What shall it be?"):
            return True
        hand.press(Key.BACK)
        time.sleep(0.5)
        return False

    until(there, "the home screen")


def anew() -> dict[str, Any]:
    """Back up, make the box new and restore it, all by the keys; what is there after each."""
    plug_in()
    hand, _ = fingers()
    _entries(hand, "Set-up", "Stick", "Backup of everything")
    until(lambda: shown("is on the") or shown("Nothing was"), "it says what came of it")
    (backup,) = STICK.glob("podesta-backup-*.tar.gz")
    before = _digests()
    _home(hand)
    _entries(hand, "Set-up", "Factory reset", "Reset, keep matches", "Reset, keep matches")
    found: dict[str, Any] = {"before": before, "reset": {**_came(), "digests": _digests()}}
    found["new"] = hashlib.sha256(Path("/usr/share/podesta/podesta.toml").read_bytes()).hexdigest()
    found["left"] = sorted(path.name for path in STATE.iterdir())
    hand, _ = fingers()
    _home(hand)
    name = backup.name.removeprefix("podesta-backup-")
    _entries(hand, "Set-up", *("Restore from the stick", name), *["Restore from the stick"] * 2)
    found["restored"] = {**_came(found["reset"]["id"]), "digests": _digests()}
    found["owners"] = sorted({path.owner() for path in STATE.rglob("*")})
    return {**found, "log": said("journalctl", "-u", "podesta-update", "-b", "-o", "cat")}


def back() -> dict[str, Any]:
    """Install a release, then go back to the version before by the keys."""
    for file in (HOST / "release").iterdir():
        shutil.copy(file, STICK)
    before = json.loads((HOME / "result.json").read_text())["id"]
    ask("update", next(path.name for path in STICK.glob("*0.2.0*.update")))
    updated = _came(before)
    hand, _ = fingers()
    _home(hand)
    _entries(hand, "Set-up", "Old version", "Back to 0.1.0", "Back to 0.1.0")
    return {"updated": updated, **_came(updated["id"]), **_state()}


def odd() -> dict[str, Any]:
    """Start the box with a clock years off, either way, then on a disk that takes nothing."""
    found: dict[str, Any] = {}
    now = time.time()
    for name, moment in (("past", "1999-01-01"), ("future", "2037-01-01")):
        subprocess.run(["systemctl", "stop", "podesta"], check=True)
        subprocess.run(["date", "-s", moment], check=True, capture_output=True)
        subprocess.run(["systemctl", "start", "podesta"], check=True)
        until(active, "the box is ready")
        found[name] = asked()["status"]["problems"]
    subprocess.run(["date", "-s", f"@{now:.0f}"], check=True, capture_output=True)
    subprocess.run(["systemctl", "stop", "podesta"], check=True)
    Path("/proc/sys/kernel/sysrq").write_text("1")
    Path("/proc/sysrq-trigger").write_text("u")
    until(lambda: " / ext4 ro," in Path("/proc/mounts").read_text(), "the disk takes nothing")
    subprocess.run(["systemctl", "start", "podesta"], check=True)
    until(active, "the box is ready")
    shutil.copy(SCREEN, HOST / "read_only.png")
    return {**found, "read_only": asked()["status"]["problems"], "text": asked()["text"]}


def kept() -> dict[str, Any]:
    """Copy the matches out."""
    until(active, "the box is ready")
    shutil.copytree(STATE / "matches", HOST / "matches", dirs_exist_ok=True)
    shutil.copy(SCREEN, HOST / "kept.png")
    return {"text": asked()["text"], "starts": Path("/run/podesta/starts").read_text()}


def doctor() -> dict[str, Any]:
    """Ask the doctor at a terminal, as the page says, with the service running; sudo gives the rights."""
    told = said("runuser", "-l", "eva", "-c", "script -qec 'podesta doctor --json' /dev/null")
    return {"findings": json.loads(told[told.index("{") :])["findings"]}


def reset() -> dict[str, Any]:
    """Leave a box on which nothing was played."""
    subprocess.run(["systemctl", "stop", "podesta"], check=True)
    for path in STATE.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return {"left": os.listdir(STATE)}


def power_off() -> dict[str, Any]:
    """Ask as the menu does, with the service's own rights, whether it may; nothing is switched off."""
    asked_for = said(
        *("runuser", "-u", "podesta", "--", "busctl", "call", "org.freedesktop.login1"),
        *("/org/freedesktop/login1", "org.freedesktop.login1.Manager", "CanPowerOff"),
    )
    return {"may": asked_for}


def upgrade() -> dict[str, Any]:
    """Install a newer version with a match open, then the older one."""
    before = asked()["status"]["recorded"]
    found: dict[str, Any] = {"before": before}
    for name in ("newer", "older"):
        found[name] = subprocess.run(
            ["dpkg", "-i", f"/host/{name}.deb"], capture_output=True, check=False
        ).returncode
        until(active, f"the {name} version is ready")
        found[f"{name} version"] = said("dpkg-query", "-W", "-f", "${Version}", "podesta")
        found[f"{name} recorded"] = asked()["status"]["recorded"]
    return found


def remove() -> dict[str, Any]:
    """Remove the package, then purge it."""
    found: dict[str, Any] = {}
    subprocess.run(["dpkg", "-r", "podesta"], check=True, capture_output=True)
    found["removed"] = sorted(path.name for path in (STATE / "matches").iterdir()) != []
    found["left"] = said("find", "/usr/lib/podesta", "/usr/bin/podesta", "-type", "f")
    subprocess.run(["dpkg", "-P", "podesta"], check=True, capture_output=True)
    found["purged"] = not STATE.exists() and not Path("/etc/podesta").exists()
    return found


def logged() -> dict[str, Any]:
    """Play on a second disk whose every write is kept on a third, and mark there what is on the disk."""
    from device.match import Header, Library
    from tests.e2e.whole_game import recorded_game

    subprocess.run(["systemctl", "stop", "podesta"], check=True)
    sectors = said("blockdev", "--getsz", "/dev/ubdb")
    table = f"0 {sectors} log-writes /dev/ubdb /dev/ubdc"
    subprocess.run(["dmsetup", "create", "state", "--table", table], check=True)
    subprocess.run(["mkfs.ext4", "-q", "/dev/mapper/state"], check=True)
    place = Path("/mnt")
    subprocess.run(["mount", "/dev/mapper/state", str(place)], check=True)
    subprocess.run(["dmsetup", "message", "state", "0", "mark", "0"], check=True)
    file, library, number = recorded_game(), Library(place / "state"), 0
    for _ in range(int(os.environ.get("GAMES", "3"))):
        match = library.open_match(Header(file.game, file.names, file.setup))
        for step in file.steps:
            match.step(step.text, seat=step.seat, channel="keys")
            match.wait()
            number += 1
            subprocess.run(["dmsetup", "message", "state", "0", "mark", str(number)], check=True)
    library.leave()
    subprocess.run(["umount", str(place)], check=True)
    subprocess.run(["dmsetup", "remove", "state"], check=True)
    return {"steps": number}


TASKS: dict[str, Callable[[], dict[str, Any]]] = {
    one.__name__: one
    for one in (
        *(up, looks, pins, stop, kill, full, states, doctor, reset),
        *(power_off, stick, become, upgrade, loop, remove, kept),
        *(evening, update, cut, resumed, anew, back, odd, later, cut_anywhere, settled),
        *(opened, cut_dpkg, mended),
        *(greedy, neither, logged),
    )
}


def main() -> None:
    """Do the tasks in their order; one that fails ends them, and the box's log says why."""
    for name in sys.argv[1:]:
        try:
            print(json.dumps({"task": name, **TASKS[name]()}), flush=True)
        except Exception:
            print(said("journalctl", "-u", "podesta", "-b", "-n", "40"), flush=True)
            raise


if __name__ == "__main__":
    main()
