"""A Torres board in a picture: its stacks and pieces, with confidence, and the spaces hidden from view.

The method is analysis by synthesis: paint a layout as the camera would see it, and judge how well that
explains the picture. This package knows no rules: :func:`vision.torres.reading.weigh` takes the legal
layouts.

Thresholds come from the twelve sample pictures and from rendered pictures of the same kind made for tuning,
with the earlier layout known unless stated: figures of a rendered table, not of a photographed one.

================  ==================================================================================
``shapes``        sizes of a copy, outlines of blocks, doors and pieces, the coloured layout
``painter``       layouts painted as labels: the face of a block at each pixel
``colours``       the possible looks of each kind of face, line and piece in this picture's light
``evidence``      log evidence of a painted layout, over the same pixels for every layout
``search``        one layout in the making: alternatives for a space, and climbing to the best
``finding``       the best layout, from the layout before or from an empty board
``reading``       BoardScene, read, weigh, crop: for the device, with doubts and hidden spaces
================  ==================================================================================
"""
