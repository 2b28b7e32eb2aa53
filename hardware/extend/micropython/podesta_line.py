"""A node's end of Podestà's line (hardware/PROTOCOL.md), for both Python and MicroPython.

On a laptop, with pyserial::

    line = serial_line("/dev/ttyUSB0", "my-display", "1", "watch")
    while True:
        for kind, args in line.poll():
            print(kind, args)
        time.sleep(0.02)

On a microcontroller, by its USB plug or anything with ``write`` and a ``read`` that does not wait::

    line = usb_line("my-scale", "1", "scale")
    uart = machine.UART(0, 115200)
    line = Line(uart.write, uart.read, "my-scale", "1", "scale", time.ticks_ms)
"""

AGAIN_MS = 1000
"""The shortest time before a line is sent again."""

WAITING = 8
"""The most lines that wait for their answers."""

LIMIT = 512


class Line:
    """Says hello, counts, adds checksums, sends unanswered lines again, and goes on after a reset.

    Call :meth:`poll` often, at least every 50 ms. ``ready`` is True once the box has answered the hello.
    """

    def __init__(self, write, read, name: str, version: str, caps: str, ticks_ms, seat: str = "") -> None:  # noqa: ANN001
        """Prepare the line; it sends nothing before the first :meth:`poll`.

        ``write(bytes)`` sends; ``read()`` returns the bytes that came, None or empty for none, without
        waiting. ``caps`` is as in the protocol's hello, such as ``step,ask``; ``seat`` is a letter if the
        node is one player's. ``ticks_ms()`` counts milliseconds and may wrap.
        """
        self.ready = False
        self.name = name
        self._write = write
        self._read = read
        self._hello = name + " " + version + " " + caps + (" seat=" + seat if seat else "")
        self._ticks_ms = ticks_ms
        self._number = 0
        self._known = False  # the box has told the number to count from
        self._queue = []
        self._said_ms = None
        self._buffer = b""

    def send(self, kind: str, args: str = "", keep: bool = True):  # noqa: ANN201
        """Send a line once ``ready``; return its number, or None if it was not taken: try again later.

        With ``keep`` the line waits its turn and is sent again each second until it is answered. Without, as
        for telemetry, it is sent once and at once.
        """
        if not self._known or (len(self._queue) >= WAITING if keep else not self.ready):
            return None
        self._number += 1
        if keep:
            self._queue.append((self._number, kind, args))
            if self.ready and len(self._queue) == 1:
                self._repeat()
        else:
            self._put(self._number, kind, args)
        return self._number

    def poll(self) -> list:
        """Read, send due lines, and return the box's lines since the last call: (kind, arguments), oldest
        first.
        """
        heard = []
        data = self._read()
        if data:
            lines = (self._buffer + data).replace(b"\r", b"\n").split(b"\n")
            self._buffer = lines.pop()[-LIMIT - 8 :]
            for line in lines:
                said = _frame(line)
                if said:
                    self._take(said[0], said[1])
                    heard.append(said)
        if self._due():
            if self.ready:
                self._repeat()
            else:
                self._number += 1
                self._said_ms = self._ticks_ms()
                self._put(self._number, "hello", self._hello)
        return heard

    def hello(self) -> None:
        """Begin again with hello: the port was reopened."""
        self.ready = False
        self._said_ms = None

    def _due(self) -> bool:
        if self.ready and not self._queue:
            return False
        return self._said_ms is None or _since(self._ticks_ms, self._said_ms) >= AGAIN_MS

    def _repeat(self) -> None:
        self._said_ms = self._ticks_ms()
        self._put(*self._queue[0])

    def _put(self, number: int, kind: str, args: str) -> None:
        body = (str(number) + " " + kind + " " + args).strip().encode()
        # The empty line before it ends a half-sent line on the wire.
        self._write(b"\n" + body + f"*{crc16(body):04X}\n".encode())

    def _take(self, kind: str, args: str) -> None:
        words = args.split()
        if kind == "hello":
            if words[:1] != ["podesta"]:  # our own: a port echoes while it is being opened
                return
            self.hello()
            options = dict(word.split("=", 1) for word in words if "=" in word)
            if "re" in options:  # otherwise the box has reopened the line
                self._number = max(self._number, int(options.get("last", 0)))
                self.ready = self._known = True
        elif kind == "err" and words[1:2] == ["hello"]:
            if self.ready:
                self.hello()
        elif kind == "err" and words[1:2] == ["busy"]:
            pass  # the same again in a second
        elif kind != "event" and self._queue and words[:1] == [str(self._queue[0][0])]:
            self._queue.pop(0)
            self._said_ms = None


def crc16(data: bytes) -> int:
    """Return the protocol's checksum, CRC-16/XMODEM."""
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def _frame(line: bytes):  # noqa: ANN202
    """Return (kind, arguments) of a valid line of the box, otherwise None."""
    line = line.strip()
    try:
        checked = line[-5:-4] == b"*"
        if checked and int(line[-4:], 16) != crc16(line[:-5]):
            return None
        _, kind, args = (str(line[:-5] if checked else line, "utf-8") + "  ").split(" ", 2)
    except ValueError:
        return None
    args = args.strip()
    # Before the box has heard a checksum, it sends only this.
    return (kind, args) if checked or (kind == "hello" and "re=" not in args) else None


def _since(ticks_ms, then: int) -> int:  # noqa: ANN001
    return (ticks_ms() - then) & 0x3FFFFFFF


def serial_line(url: str, name: str, version: str, caps: str, seat: str = "", baud: int = 115200) -> Line:
    """Open a :class:`Line` over pyserial, on a port that may be unplugged and come back."""
    from time import monotonic  # noqa: PLC0415 – MicroPython has neither

    from serial import serial_for_url  # noqa: PLC0415

    class Port:
        opened = None
        next_try = 0.0

        def read(self) -> bytes:
            try:
                if self.opened is None and monotonic() >= self.next_try:
                    self.next_try = monotonic() + 1
                    self.opened = serial_for_url(url, baud, timeout=0, exclusive=True)
                return self.opened.read(4096) if self.opened else b""
            except OSError:
                return self.lost()

        def write(self, data: bytes) -> None:
            try:
                if self.opened:
                    self.opened.write(data)
            except OSError:
                self.lost()

        def lost(self) -> bytes:
            self.opened = None
            line.hello()  # on the next port, once it is there
            return b""

    port = Port()
    line = Line(port.write, port.read, name, version, caps, lambda: int(monotonic() * 1000), seat)
    return line


def usb_line(name: str, version: str, caps: str, seat: str = "") -> Line:
    """Open a :class:`Line` over a microcontroller's USB plug, where MicroPython otherwise has its prompt."""
    import sys  # noqa: PLC0415 – a module on a microcontroller costs memory
    from select import POLLIN, poll  # noqa: PLC0415
    from time import ticks_ms  # noqa: PLC0415

    from micropython import kbd_intr  # noqa: PLC0415

    kbd_intr(-1)  # a damaged byte must not end the program as Ctrl-C would
    waiting = poll()
    waiting.register(sys.stdin, POLLIN)

    def read() -> bytes:
        data = b""
        while len(data) < LIMIT and waiting.poll(0):
            data += sys.stdin.buffer.read(1)
        return data

    return Line(sys.stdout.buffer.write, read, name, version, caps, ticks_ms, seat)
