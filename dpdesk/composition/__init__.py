"""How losses add up: sequences, disjoint parts, groups, and what two outputs betray."""
