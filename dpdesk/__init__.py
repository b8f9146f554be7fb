"""dpdesk: local differential privacy for people who run surveys."""

__version__ = "0.1.0"
