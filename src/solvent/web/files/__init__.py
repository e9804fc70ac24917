"""The user's own files: listed, opened, drawn small."""
