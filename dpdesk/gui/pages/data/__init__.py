"""The Data page: what do I have?"""

from dpdesk.gui.pages.data.page import DataPage

__all__ = ["DataPage"]
