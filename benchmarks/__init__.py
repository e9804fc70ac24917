"""Run Solvent and the alternatives on the same instances and compare: `python -m benchmarks`."""
