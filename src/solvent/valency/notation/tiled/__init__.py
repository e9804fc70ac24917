"""Rule sets from the terrain sets of Tiled."""
