"""The Release page: what will be written and what it costs; the run; the results."""

from dpdesk.gui.pages.release.release_page import ReleasePage

__all__ = ["ReleasePage"]
