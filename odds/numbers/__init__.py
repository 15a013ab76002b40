"""The number systems: doubles, residues modulo primes, the fractions that those determine, and their digits."""
