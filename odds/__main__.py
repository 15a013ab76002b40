"""Lets `python -m odds` do what the command `odds` does."""

from odds.cli.main import main

main()
