"""Tables that say which action: how the best is found, read, written and judged."""
