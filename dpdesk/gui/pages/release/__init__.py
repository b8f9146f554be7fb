"""The Release page: what a release will write and cost, its run, and its results."""

from dpdesk.gui.pages.release.release_page import ReleasePage
