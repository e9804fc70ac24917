"""Charts as inline SVG. Colours and fonts come from the page's style; shapes tell verdicts apart without colour."""
