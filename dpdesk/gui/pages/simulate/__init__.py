"""The Simulate page: what will a survey show that is still to be held?"""

from dpdesk.gui.pages.simulate.page import SimulatePage
