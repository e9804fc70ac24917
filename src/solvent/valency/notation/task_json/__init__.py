"""Tasks in JSON: rules, a cluster, and what is asked of it."""
