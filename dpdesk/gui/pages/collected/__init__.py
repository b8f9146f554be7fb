"""The Collected page: what did the answers show that respondents gave through a device?"""

from dpdesk.gui.pages.collected.page import CollectedPage
