"""What was released about the same people before, and what is left."""
