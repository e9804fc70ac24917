"""One toolkit for pictures: markup and shapes, the paper they stand on, paints, legends, phrases, graph layout."""
