"""`podesta markers` writes a PDF whose pages are true to size: it is read back here to the dot."""

import io
import re
import struct

import cv2
import numpy as np
import pytest
from PIL import Image, PdfParser

from device.cli import main
from device.commands import Exit
from device.commands.camera import SHEETS, draw_pages
from vision.markers import detect
from vision.sheets import DrawnSheet, Paper

POINT = 25.4 / 72


def pages(path):
    """Each page: its size in mm, and (rows, columns) of it with the size of a dot in mm."""
    with PdfParser.PdfParser(str(path)) as pdf:
        for ref in pdf.pages:
            page = pdf.read_indirect(ref)
            left, bottom, right, top = page[b"MediaBox"]
            assert (left, bottom) == (0, 0)
            size = float(right) * POINT, float(top) * POINT
            content = pdf.read_indirect(page[b"Contents"])
            placed = re.search(rb"([\d.]+) 0 0 ([\d.]+) 0 0 cm", content.decode())
            assert (float(placed[1]) * POINT, float(placed[2]) * POINT) == pytest.approx(size, abs=0.02)
            (image,) = page[b"Resources"][b"XObject"].values()
            stream = pdf.read_indirect(image)
            dots = np.asarray(_fax(stream), dtype=np.uint8) * 255
            yield size, dots, (size[0] / dots.shape[1], size[1] / dots.shape[0])


def _fax(stream):
    """A picture in the PDF, packed as a fax: as a TIFF it can be read."""
    facts = stream.dictionary
    assert b"CCITTFaxDecode" in str(facts[b"Filter"]).encode()
    width, height, data = facts[b"Width"], facts[b"Height"], stream.buf
    black_is_1 = bool(facts[b"DecodeParms"][0].get(b"BlackIs1"))
    tags = [
        (256, width),
        (257, height),
        (258, 1),
        (259, 4),
        (262, 1 if black_is_1 else 0),
        (273, 8 + 2 + 12 * 8 + 4),
    ]
    tags += [(278, height), (279, len(data))]
    head = b"II*\0" + struct.pack("<IH", 8, len(tags))
    entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags)
    return Image.open(io.BytesIO(head + entries + struct.pack("<I", 0) + data))


@pytest.fixture
def printed(tmp_path, capsys):
    """Run it; the pages, and what it said."""

    def run(*argv):
        out = tmp_path / "sheet.pdf"
        status = main(["markers", "--out", str(out), *argv])
        said = capsys.readouterr()
        assert (status, said.err) == (Exit.FINE, "")
        return list(pages(out)), said.out

    return run


def picture(dots):
    return cv2.cvtColor(dots, cv2.COLOR_GRAY2BGR)


@pytest.mark.parametrize(("paper", "size"), [("a4", (210.0, 297.0)), ("letter", (215.9, 279.4))])
def test_markers_are_24_mm_on_paper_of_true_size(printed, paper, size):
    ((page, dots, dot),), said = printed("--field", "torres", "--paper", paper)
    assert page == pytest.approx(size, abs=0.05)
    found = detect(picture(dots[::2, ::2]))
    assert [marker.id for marker in found] == [0, 1, 2, 3]
    for marker in found:
        sides = np.linalg.norm(np.diff(marker.array * dot, axis=0), axis=1) * 2
        assert sides == pytest.approx([24.0] * 3, abs=0.05)
    assert "100 mm" in said


@pytest.mark.parametrize("field", ["all", "board", *SHEETS])
@pytest.mark.parametrize("paper", Paper)
def test_in_japanese_words_and_names_are_written_and_have_room(monkeypatch, field, paper):
    written, draw = [], DrawnSheet.text

    def text(sheet, words, x, y, *height):
        around = sheet.dots[max(0, sheet.dot(y - 12)) : sheet.dot(y + 12)]
        before = int(around.sum())
        draw(sheet, words, x, y, *height)
        written.append((words, int(around.sum()) < before))

    monkeypatch.setattr(DrawnSheet, "text", text)
    assert draw_pages(field, paper, "ja")
    assert all(there for _, there in written)
    assert [words for words, _ in written if re.search("[A-Za-z]{3,}", words)] == []
    assert sum(bool(re.search("[ぁ-ヿ一-龥]", words)) for words, _ in written) >= (
        1 if field == "board" else 3
    )
    with pytest.raises(ValueError, match="wider than the sheet"):
        sheets_page(paper).text("塔" * 80, 100.0, 20.0, 2.4)


def sheets_page(paper):
    return DrawnSheet(paper.value, letters=lambda text: np.ones((12, 12 * len(text)), bool))
