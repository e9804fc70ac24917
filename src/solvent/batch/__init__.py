"""Many instances: find them, solve them in worker processes, keep every answer, and show what was found.

`sources` finds instances, `workers` are the processes that read and solve, `cluster` those on other machines. `run` is
the loop of a run: it gives out batches (`batch_size`), takes back outcomes, copes with lost workers (`lost_workers`)
and writes all of it to the `store`. `library` opens a run, for the command and for Python. What was found is shown by
`summary`, `exports` (CSV and JSON) and `report`.
"""
