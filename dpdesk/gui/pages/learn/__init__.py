"""The Learn page."""

from dpdesk.gui.pages.learn.page import LearnPage
