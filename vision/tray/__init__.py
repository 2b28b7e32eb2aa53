"""Reading the cube tower's tray: the possible keshis in a picture, their colours, and their chances.

| module | what it holds |
| --- | --- |
| `reading` | a picture in, pieces and doubts out; enrolling by the printed strip |
| `plan` | the floor seen from above, a grid of mm, with the picture and the silhouettes of keshis on it |
| `floor` | the bare floor, and the evidence for a piece at each pixel |
| `table` | how well a keshi in a place explains the picture there, less the claims of others |
| `search` | the places of keshis that best explain the picture |
| `paint` | the colour that a piece shows, light taken out |
| `palette` | the looks of the twelve colours, shipped or enrolled, and the chances that a piece has each |
| `reconciling` | the most probable contents of a tray, by looks, number and possible contents |
"""
