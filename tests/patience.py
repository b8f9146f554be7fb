"""How long a test waits for what must happen: as long as it takes, and for no clock."""

HANG = 1_200.0
"""Seconds after which a wait is given up, the one limit of them all.

It ends what hangs and judges nothing: no wait of a passing test takes a minute, so that none comes
near it on a machine twenty times slower. `faulthandler_timeout` of `pyproject.toml`, which ends the
whole process, is three times as long.
"""
