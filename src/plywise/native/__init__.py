"""The compiled twin of the rules and of the search: the only package that imports Numba.

`compile` gives a function of the search for one game as machine code, from the disk cache where it
is known and made anew where it is not. Import this package only when something is to be compiled.
"""

from plywise.native.compiler import NativeFunction, compile

__all__ = ["NativeFunction", "compile"]
