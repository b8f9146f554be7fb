"""The release of statistics: its folder, its public report, its table."""
