"""Rules and search as machine code: the only package that imports Numba.

`compile` gives a function of the search for one game, loaded from the compile cache or compiled anew;
`is_cached` says which it would be. Import this package only where something is to be compiled.
"""

from plywise.native.compiler import NativeFunction, compile, is_cached
from plywise.native.digest import rules_digest

__all__ = ["NativeFunction", "compile", "is_cached", "rules_digest"]
