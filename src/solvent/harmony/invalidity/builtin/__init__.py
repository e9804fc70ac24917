"""The built-in invalidity tests, a file each: a class with its rule, and `TEST`, the one object of it.

A file put here is found; nothing else names it. It is a kernel, so its name ends in `_kernel.py`.
"""
