"""What somebody would write who has python-sat and half an hour: one short script for each domain, reading its example.

They are the yardstick of `python -m benchmarks process`. Each answers the question that `solvent solve` answers on the
same file, prints it, and does nothing else: no proof, no other formats, no messages for mistakes.
"""
