from dpdesk.interface import *  # noqa: F403 - what a star import gives is listed there

__version__: str
