"""The store: what goes in comes out, whatever else happens to the process, the disk or the file."""
