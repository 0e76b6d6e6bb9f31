"""Processes of our own that Ctrl-C in the terminal does not reach: the one that started them ends them."""

import subprocess
import sys
from typing import TypedDict


class GroupOptions(TypedDict, total=False):
    """Options of `subprocess.Popen`."""

    start_new_session: bool
    creationflags: int


def own_group(platform: str) -> GroupOptions:
    """What gives a process a group of its own on a system, as `sys.platform` names it."""
    if platform == "win32":
        return {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0x200)}
    return {"start_new_session": True}


OWN_GROUP = own_group(sys.platform)
