"""One self-contained page about a run, or about what changed between two.

`gathering` goes over the rows of a run once and keeps only as much as a page can show; the modules of `charts` draw;
`page` puts the parts together. `matching` and `comparison` do the same for two runs. Nothing here knows a domain.

The charts are SVG of our own rather than pictures of a plotting library: they follow the light or dark colours of the
page, every dot is a link to its row and says what it is, they stay sharp in print, and the page needs nobody's scripts.
The page can do without its own few lines of JavaScript as well, and its content policy lets nothing else run or load.
"""
