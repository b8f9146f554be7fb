"""The command line: the same job as the window, without Qt."""
