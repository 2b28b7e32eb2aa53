"""A running box teaches its simulated camera a deck: from the page, by its keys, and not unplugged."""

import base64
import http.client
import json
import time

import cv2
import numpy as np
import pytest

from device.sensors.sources.simulated_table import CameraFault, SimulatedTable
from tests.e2e.daemon_process import DaemonProcess

CONFIG = '[[camera]]\nsource = "simulated"\nfield = "area1"\nwidth = 1280\nheight = 960\n'
MOMENT_S = 0.5
"""A page must have been in sight for so long before its OK counts."""


def ask(box, method, path):
    """What the page is answered."""
    connection = http.client.HTTPConnection("127.0.0.1", box.port, timeout=120)
    connection.request(method, path)
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    assert answer.status == 200, data
    return json.loads(data)


@pytest.mark.pictures
@pytest.mark.timeout(600)
def test_the_box_teaches_its_camera(tmp_path):
    kept = tmp_path / "state" / "decks" / "simulated_1280x960_fixed.json"
    with DaemonProcess(tmp_path, config=CONFIG, simulate=True) as box:
        box.start(lambda status: status["keys"] and status["sensors"][0]["online"], 120)
        seen = ask(box, "GET", "/lessons/0")
        assert (seen["says"], seen["learnt"]) == ("", False)
        picture = cv2.imdecode(np.frombuffer(base64.b64decode(seen["picture"]), np.uint8), cv2.IMREAD_COLOR)
        assert picture.shape == (960, 1280, 3)
        assert not kept.exists()
        learnt = ask(box, "POST", "/lessons/0")
        assert learnt["says"] == "Learnt: 8 cards. SIMULATED: the pieces were painted."
        assert kept.exists()
        kept.unlink()
        for turns in (2, -1):  # Set-up, Teach the camera
            box.post(f"/turn/{turns}")
            box.post("/key/ok?ms=30")
        box.post("/key/ok?ms=30")  # the only lesson
        time.sleep(MOMENT_S)
        box.post("/key/ok?ms=30")
        box.wait_for(lambda _: kept.exists(), 120)
        SimulatedTable(faults=frozenset({CameraFault.UNPLUGGED})).save(box.state / "simulated_table.json")
        gone = ask(box, "POST", "/lessons/0")
        assert (gone["says"], gone["learnt"], gone["picture"]) == (
            "SIMULATED camera: unplugged, or gone silent",
            False,
            "",
        )
        assert box.stop() == 0
