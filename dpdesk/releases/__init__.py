"""A release, of whatever kind: charged, drawn, written into a folder, sealed."""
