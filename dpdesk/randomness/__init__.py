"""Random words of 64 bits: the only place where a release meets chance."""

from dpdesk.randomness.words import SystemWords, WordSource, shuffled_order

__all__ = ["SystemWords", "WordSource", "shuffled_order"]
