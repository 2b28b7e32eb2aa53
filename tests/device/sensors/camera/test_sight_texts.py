"""Whatever can be wrong with markers, mast, lens and calibration has words that fit the small screen."""

from device.texts import Texts, in_words, said
from vision.calibrate import FartherSide, PictureFault, Reason
from vision.field import Trouble, TroubleKind

TEXTS = Texts.load(strict=True)
MOST = 4 * 21
"""Letters on four lines of the small screen."""


def test_each_trouble_has_words_for_its_figures():
    for kind in TroubleKind:
        trouble = Trouble(kind, (0, 3), 4.4, (239.6, 180.2), -170.3)
        words = in_words(said(f"sight.{kind.value}", **trouble.figures), TEXTS)
        assert len(words) <= MOST
        assert "{" not in words
    assert trouble.figures == {"ids": ("0", "3"), "px": "4.4", "width": 240, "height": 180, "degrees": -170}


def test_no_words_for_what_is_not():
    """Each text belongs to something that happens."""
    for section, kinds in (
        ("sight", TroubleKind),
        ("calibrate.fault", PictureFault),
        ("calibrate.refused", Reason),
    ):
        keys = {key for key in TEXTS if key.startswith(f"{section}.")}
        assert keys == {f"{section}.{kind.value}" for kind in kinds}
    assert {key for key in TEXTS if key.startswith("calibrate.sides.")} == {
        f"calibrate.sides.{side.value}" for side in FartherSide
    }
