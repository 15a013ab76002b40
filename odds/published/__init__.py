"""Questions about what is published of whole games: help texts, figures to check, readings of the rules."""
