"""Reading the cube tower's tray: what in a picture may be a keshi, of which colours, and how likely.

| module | what it is for |
| --- | --- |
| `reading` | a picture in, a :class:`~vision.tray.reading.TrayReading` out: pieces and doubts |
| `plan` | the floor seen from above: a grid of mm, and the picture turned onto it |
| `light` | from numbers in a picture to shares of white, by the markers' paper |
| `floor` | what is bare floor, and what speaks for a piece at each pixel |
| `prism` | a keshi as a solid, and its silhouette |
| `table` | how well a keshi somewhere explains what is there, less what others claim |
| `search` | the places of keshis that explain best what lies there |
| `paint` | the colour that a piece shows, light taken out |
| `palette` | what the twelve colours look like, enrolling a copy's own, and the chances of each |
| `enrol` | a copy's own colours by pieces on the printed strip |
| `counting` | how many pieces lie there: a scale's weight or a guess as chances of a count |
| `reconciling` | the most probable contents of a tray, by looks, number and what can lie there |
| `ways` | the sums over all ways to colour the pieces seen, with bounds |
| `prior` | the looks that are shipped, and where they come from |
"""
