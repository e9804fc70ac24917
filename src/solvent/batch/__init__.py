"""Many instances at once: read them, ask about each in a worker process, keep every answer in a store.

`sources` finds instances, `work` is what a worker does, `pool` and `cluster` are where workers run, `validating` leads,
`store` keeps, `report` shows. Nothing here knows a domain; all goes through `asking`.
"""
