"""Workers on other machines, through a Dask scheduler."""
