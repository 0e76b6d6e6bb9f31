"""The page and its server: any game against any level, in the browser, saved after every move.

The server knows no rule: it asks the state of a game what to show and which moves are legal, and sends that
to the pages. `plywise.web.server.Server` starts it.
"""
