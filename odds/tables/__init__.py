"""Tables of every game, side bet and rule, the same bytes on every machine, and the PAR sheet of a game."""

from odds.tables.build import Mismatch, check_only, compare, make, write
from odds.tables.par import par_files

__all__ = ["Mismatch", "check_only", "compare", "make", "par_files", "write"]
