"""What is played: cards, the deck, shoes, rules and game files, checked when they come in."""
