"""The workbench: a local web page where people open, play, see and understand instances of any domain.

The server keeps nothing: an instance travels as its text in every request, so a page can be reloaded, shared and left
open over a restart. All work on instances is done by worker processes, which may be slow, crash or be ended; the server
itself only hands things on, and stays responsive.
"""
