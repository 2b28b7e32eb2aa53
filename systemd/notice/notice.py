"""Says on the display and in the browser that the box does not start, when its own program cannot.

`notice` beside it runs it after too many failed starts in a row. It stands alone, on the system's Python and
without the box's library, which may be the broken part: draw.py has stored the display's messages beside it.
Afterwards systemd tries to start the box again, as always.
"""

import fcntl
import html
import http.server
import json
import shutil
import socket
import socketserver
import time
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

HERE = Path(__file__).parent
SETTINGS = Path("/etc/podesta/podesta.toml")
RESULT = Path("/var/cache/podesta/result.json")
SPEAKS_S = 5.0
"""Less than TimeoutStopSec= allows, even on a slow machine."""
I2C_SLAVE = 0x0703


def settings(file: Path, section: str) -> dict:
    """Return a section of the settings, empty if they cannot be read."""
    try:
        found = tomllib.loads(file.read_text("utf-8")).get(section, {})
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def show(display: dict, folder: Path = HERE, devices: Path = Path("/dev")) -> None:
    """Put the picture on the display; raises OSError if none answers. SPI needs more than Python."""
    driver = display.get("driver", "ssd1309")
    if driver == "offscreen" and display.get("path"):
        shutil.copy(folder / "notice.png", display["path"])
    elif display.get("interface", "i2c") == "i2c":
        sent = (folder / f"{driver}-{display.get('rotate', 0)}.json").read_text("ascii")
        with (devices / f"i2c-{display.get('port', 1)}").open("wb", buffering=0) as wire:
            fcntl.ioctl(wire, I2C_SLAVE, display.get("address", 0x3C))
            for message in json.loads(sent):
                wire.write(bytes(message))


def page(result: Path = RESULT, folder: Path = HERE) -> bytes:
    """Return the page: the fault, the outcome of the last update, and what to do."""
    came = ""
    with suppress(OSError, ValueError, KeyError):
        told = json.loads(result.read_text("utf-8"))
        words = (told["said"], told["version"], told.get("code"), told["why"])
        came = " ".join(["podesta-update:", *filter(None, words)])
    return (folder / "notice.html").read_text("utf-8").replace("{came}", html.escape(came)).encode()


def serve(panel: dict, said: bytes, seconds: float = SPEAKS_S) -> None:
    """Answer every request with the page for ``seconds``; raises OSError if the port is taken."""

    class Answer(http.server.BaseHTTPRequestHandler):
        timeout = 2.0

        def do_GET(self) -> None:
            self.send_response(503)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Retry-After", "5")
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *words: object) -> None:
            """Log nothing: requests would only fill the system journal."""

    host, port = panel.get("host", "127.0.0.1"), panel.get("port", 8080)

    class Server(socketserver.TCPServer):
        allow_reuse_address = True
        address_family = socket.AF_INET6 if ":" in host else socket.AF_INET

    with Server((host, port), Answer) as server:
        server.timeout = 0.5
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            server.handle_request()


def main() -> None:
    """Show the notice on the display and on the page."""
    print("The box does not start: the display and the page say so", flush=True)
    attempt(lambda: show(settings(SETTINGS, "display")))
    attempt(lambda: serve(settings(SETTINGS, "panel"), page()))


def attempt(speak: Callable[[], None]) -> None:
    """Run one of the two and report an error, so that the other can still work."""
    try:
        speak()
    except Exception as error:  # any contents of the settings
        print(f"notice: {error}", flush=True)


if __name__ == "__main__":
    main()
