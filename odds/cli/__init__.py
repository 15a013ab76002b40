"""The command `odds`: one table of its commands, and a module for each group of them; no arithmetic."""
