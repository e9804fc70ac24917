"""One self-contained page about a run, or about what changed between two.

`run_statistics` goes over the rows of a run once and keeps only as much as a page can show; `run_page` draws it, with
`charts` and `drawings`. `comparison` and `comparison_page` do the same for two runs. Nothing here knows a domain.

The charts are SVG of our own rather than pictures of a plotting library: they follow the light or dark colours of the
page, every dot links to its row and says what it is, they stay sharp in print, and the page needs no foreign scripts.
Sections are plain functions rather than templates: what is drawn is checked by mypy and escaped by `markup`, without a
dependency. The page works without its own few lines of JavaScript as well, and its content policy lets nothing else run
or load.
"""
