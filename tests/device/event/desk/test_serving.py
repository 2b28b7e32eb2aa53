"""The desk as a process: over real HTTP, only where passwords are safe, only with what it needs."""

import datetime
import hashlib
import re
import ssl
import subprocess
import sys
import time

import httpx
import pytest

from device.cli import main
from device.commands import Exit
from device.event.desk import ListenError, app, parse_address
from tests.device.event.desk.evening import Evening
from tests.device.event.desk.test_app import token

RUN = [sys.executable, "-c", "import sys; from device.cli import main; sys.exit(main(sys.argv[1:]))"]
WITHOUT = """
import sys
sys.modules[sys.argv[1]] = None
from device.cli import main
assert main(["desk", "--help"]) == 0
sys.exit(main(["desk", "--state", sys.argv[2]]))
"""


def test_over_real_http_from_the_first_password_to_a_result_and_once_more_from_its_bundle(tmp_path, capsys):
    evening = Evening(tmp_path, tables=1)
    state = tmp_path / "desk"
    options = ["--state", str(state), "--listen", "127.0.0.1:0", "--keys", str(evening.keys_file)]
    started = subprocess.Popen(
        [*RUN, "desk", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        password = re.search(r"organiser, password: (\S+)", started.stdout.readline())[1]
        url = started.stdout.readline().strip()
        with httpx.Client(base_url=url, timeout=30) as http:

            def send(path, at="/", **fields):
                files = fields.pop("files", None)
                data = {"csrf": token(http.get(at).text)} | fields
                answer = http.post(path, data=data, files=files, follow_redirects=True)
                assert answer.status_code == 200, answer.text
                return answer.text

            send("/login", at="/login", name="organiser", password=password)
            send("/event", name="Friday cup")
            for name in ("Adso", "William"):
                send("/people", name=name, club="")
            send("/rounds", lines="round,table,seat,person\n1,table-01,a,Adso\n1,table-01,b,William\n")
            path = evening.boxes[0].play("Adso", "William")
            said = send("/upload", files=[("files", ("m.podesta", path.read_bytes()))])
            assert "signed by table-01" in said
            assert "signed by table-01" in http.get("/").text
            public = httpx.get(f"{url}public")
            assert public.status_code == 200
            for answer in (public, httpx.get(f"{url}nowhere"), httpx.get(f"{url}static/desk.css")):
                assert answer.headers["content-security-policy"].startswith("default-src 'self'")
                assert answer.headers.get_list("cache-control") == ["no-store"]
            bundle = http.get("/bundle").content
            with http.stream("GET", "/changes") as told:
                lines = told.iter_lines()
                assert told.headers["content-type"].startswith("text/event-stream")
                first = next(line for line in lines if line.startswith("data: "))
                assert first[6:] in http.get("/").text, "the page is as new as that"
                began = time.monotonic()
                send("/round/1/table/table-01/call", said="which bag")
                second = next(line for line in lines if line.startswith("data: "))
                assert second != first
                assert time.monotonic() - began < 10
                send("/logout")
                assert [line for line in lines if line.startswith("data: ")] == [], (
                    "and with the session it ends"
                )
            assert httpx.get(f"{url}changes").headers["location"] == "/login"
        assert main(["desk", *options]) == Exit.BUSY
        assert capsys.readouterr().out == ""
    finally:
        started.terminate()
        _, err = started.communicate(timeout=20)
    assert "Traceback" not in err
    assert password.encode() not in (state / "desk.db").read_bytes()
    (tmp_path / "cup.zip").write_bytes(bundle)
    options = [*options, "--state", str(tmp_path / "other"), "--rebuild", str(tmp_path / "cup.zip")]
    with subprocess.Popen([*RUN, "desk", *options], stdout=subprocess.PIPE, text=True) as another:
        told = [another.stdout.readline() for _ in range(3)]
        page = httpx.get(f"{told[2].strip()}public").text
        another.terminate()
    assert told[0].startswith("rebuilt: ")
    assert "organiser, password: " in told[1]
    assert "William" in page
    assert main(["desk", *options]) == Exit.UNREADABLE
    assert "this desk has rows already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("listen", "files", "why"),
    [
        ("8180", (None, None), "such as 127.0.0.1:8180"),
        ("127.0.0.1:x", (None, None), "such as 127.0.0.1:8180"),
        ("0.0.0.0:8180", ("a.pem", None), "go together"),
    ],
)
def test_where_the_desk_is_not_served(listen, files, why):
    with pytest.raises(ListenError, match=re.escape(why)):
        parse_address(listen, *files)


def test_on_a_network_it_is_served_over_https_by_a_certificate_of_its_own(tmp_path):
    state = tmp_path / "desk"
    options = ["--state", str(state), "--listen", "0.0.0.0:0"]
    started = subprocess.Popen([*RUN, "desk", *options], stdout=subprocess.PIPE, text=True)
    try:
        told = [started.stdout.readline().strip() for _ in range(3)]
        shown = told[-2].removeprefix("certificate, SHA-256: ")
        port = int(re.fullmatch(r"https://0\.0\.0\.0:(\d+)/", told[-1])[1])
        trusting = ssl.create_default_context(cafile=str(state / "desk.crt"))
        with httpx.Client(verify=trusting, base_url=f"https://127.0.0.1:{port}") as http:
            assert http.get("/public").status_code == 200
        with pytest.raises(httpx.HTTPError):
            httpx.get(f"http://127.0.0.1:{port}/public")
        sent = ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate(("127.0.0.1", port)))
        assert shown.replace(":", "").lower() == hashlib.sha256(sent).hexdigest()
    finally:
        started.terminate()
        started.communicate(timeout=20)
    assert (state / "desk.key").stat().st_mode & 0o077 == 0


def test_a_certificate_that_is_over_or_broken_is_made_anew_and_one_that_holds_stays(tmp_path, monkeypatch):
    made = app.keep_own_certificate(tmp_path, "192.168.1.5")
    first = app.read_fingerprint(made[0])
    assert app.keep_own_certificate(tmp_path, "192.168.1.5") == made
    assert app.read_fingerprint(made[0]) == first
    later = datetime.datetime.now(datetime.UTC) + app._VALID
    with monkeypatch.context() as patch:
        patch.setattr(app, "_read_clock", lambda: later)
        app.keep_own_certificate(tmp_path, "192.168.1.5")
    second = app.read_fingerprint(made[0])
    assert second != first
    made[0].write_text("no certificate")
    app.keep_own_certificate(tmp_path, "192.168.1.5")
    assert app.read_fingerprint(made[0]) not in (first, second)


def test_a_certificate_that_is_none_is_refused_by_its_file(tmp_path, capsys):
    (tmp_path / "a.pem").write_text("nothing")
    (tmp_path / "b.pem").write_text("nothing")
    files = ["--certificate", str(tmp_path / "a.pem"), "--key", str(tmp_path / "b.pem")]
    assert main(["desk", "--state", str(tmp_path / "x"), "--listen", "127.0.0.1:0", *files]) == Exit.USAGE
    assert "a.pem: not a certificate in PEM" in capsys.readouterr().err


@pytest.mark.parametrize(
    "missing", ["sqlalchemy", *(pytest.param(name, marks=pytest.mark.soak) for name in ("argon2", "jinja2"))]
)
def test_without_the_extra_there_is_help_and_the_remedy(tmp_path, missing):
    command = [sys.executable, "-c", WITHOUT, missing, str(tmp_path / "x")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "--listen ADDR:PORT" in done.stdout) == (Exit.LACKING, True)
    assert "pip install 'podesta[desk]'" in done.stderr
    assert not (tmp_path / "x").exists()
