"""Learning: a game plays itself, a net is fitted to what it has seen, and a match proves it.

`run.py` is the whole course; `selfplay.py` makes the data, `fit.py` the net, `proof.py` the matches.
"""
