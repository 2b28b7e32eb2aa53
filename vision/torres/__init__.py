"""A Torres board in a picture: which stacks and pieces stand where, how sure that is, and what is hidden.

Analysis by synthesis: a layout is painted as the camera would see it, and judged by how well that explains
the picture. No rules here: what is legal comes in as layouts to :func:`vision.torres.reading.weigh`.

================  ==================================================================================
``shapes``        sizes of a copy, outlines of blocks, doors and pieces, the coloured layout
``painter``       layouts painted as labels: which face of which block each pixel would show
``colours``       what each kind of face, line and piece may look like in this picture's light
``evidence``      log evidence of a painted layout, over the same pixels for every layout
``search``        one layout in the making: what a space could hold instead, and climbing to the best
``finding``       the best layout, from the layout before or from an empty board
``reading``       Scene, read, weigh, crop: what the device asks, with doubts and what is hidden
``limits``        every threshold between sure and doubtful, with how it was found
================  ==================================================================================
"""
