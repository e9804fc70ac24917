"""Where instances come from: files, folders, patterns, lines of JSON."""
