"""What each play is worth against one dealer start or all: hands, dealer, draws, splits.

`legal` says what may be done with a hand and `pays` what a finished one nets, both from the rules alone; nothing else
here looks at a rule.
"""
