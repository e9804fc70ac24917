"""Dungeons as the Video Game Level Corpus has them: tile maps, graphs of their rooms, and which node is which room.

The corpus does not say which node of a graph is which room of its map; `embedding` finds that out. It serves this one
corpus, the VGLC's Legend of Zelda, and nothing else.
"""
