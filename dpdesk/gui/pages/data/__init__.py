"""The Data page: opens data or begins a questionnaire, and declares what each column is."""

from dpdesk.gui.pages.data.page import DataPage
