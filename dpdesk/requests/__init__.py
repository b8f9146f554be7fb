"""What each tool can be asked for, as declared records; see `request`."""
