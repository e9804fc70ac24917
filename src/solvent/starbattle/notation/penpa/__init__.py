"""Addresses of Penpa+, `…/penpa-edit/#m=edit&p=…`: read and written.

`packing` knows how an address holds the lines of a drawing, `layout` where its points are, `reading` and `writing` what
a Star Battle is made of.
"""
