"""Tasks, rule sets and graphs in every format, to and from the model; `solvent.valency.formats` lists the first."""
