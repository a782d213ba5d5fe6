"""The portable files are checked, never executed."""

collect_ignore_glob = ["portable/*"]
