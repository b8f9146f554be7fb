"""The stage: one step of a demonstration on the whole screen, and a page of the window likewise."""
