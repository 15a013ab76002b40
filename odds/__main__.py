"""Lets `python -m odds` do what the command `odds` does."""

from odds.cli import main

main()
