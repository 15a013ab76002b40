"""Tables of every game, side bet and rule, the same bytes on every machine, and the PAR sheet of a game."""

from odds.tables.build import Mismatch, check_only, compare, make
from odds.tables.pages import check_pdf
from odds.tables.par import par_files, par_names

__all__ = ["Mismatch", "check_only", "check_pdf", "compare", "make", "par_files", "par_names"]
