"""The page and its server: any game against any level, in the browser, kept after every move.

The server knows no rule: it asks the state of a game what to show and what may be done, and tells
the pages. `plywise.web.server.Server` starts it.
"""
