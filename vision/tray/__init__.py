"""Reading the cube tower's tray: the possible keshis in a picture, their colours, and their chances.

| module | what it holds |
| --- | --- |
| `reading` | a picture in, a :class:`~vision.tray.reading.TrayReading` out: pieces and doubts |
| `plan` | the floor seen from above: a grid of mm, and the picture turned onto it |
| `light` | from numbers in a picture to shares of white, by the markers' paper |
| `floor` | the bare floor, and the evidence for a piece at each pixel |
| `prism` | a keshi as a solid, and its silhouette |
| `table` | how well a keshi in a place explains the picture there, less the claims of others |
| `search` | the places of keshis that best explain the picture |
| `paint` | the colour that a piece shows, light taken out |
| `palette` | the looks of the twelve colours, enrolling a copy's own, and the chances of each |
| `enrol` | a copy's own colours by pieces on the printed strip |
| `counting` | the number of pieces: a scale's weight or a guess as chances of a count |
| `reconciling` | the most probable contents of a tray, by looks, number and possible contents |
| `ways` | the sums over all ways to colour the pieces seen, with bounds |
| `prior` | the shipped looks, and their origin |
"""
