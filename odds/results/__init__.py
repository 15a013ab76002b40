"""One round and its hands as a user asks for them: EV, fractions, distribution, several boxes, confidence."""
