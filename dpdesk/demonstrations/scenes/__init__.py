"""The kinds of scenes, each with everything that is known of it."""
