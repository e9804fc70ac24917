"""Many instances at once: read them, ask about each in a worker process, keep every answer in a store.

`finding` says where instances come from, `workers` are the processes that read and solve, `cluster` those on other
machines. `validating` leads a run: it gives out batches (`sizing`), takes back results, deals with lost workers
(`losses`) and keeps all of it (`keeping`, `store`). What it came to is shown by `summary`, `table_csv`, `json_lines`
and `report`, and checked again by `checking`. `library` is the same from Python.

Nothing here knows a domain; all goes through `asking`.
"""
