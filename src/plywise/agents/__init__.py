"""Agents: players of worlds, which give orders to all units of a side."""
