"""Files to tables of answers and back: the one place that knows pyarrow."""
