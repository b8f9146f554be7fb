"""Tests of dpdesk; a package, so that checks can be shared between them."""
