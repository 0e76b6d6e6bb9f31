"""Processes of our own that Ctrl-C in the terminal does not reach: the one that started them ends them."""

import subprocess
import sys
from typing import TypedDict


class GroupOptions(TypedDict, total=False):
    """Options of `subprocess.Popen`."""

    process_group: int
    creationflags: int


def own_group(platform: str) -> GroupOptions:
    """What gives a process a group of its own on a system, as `sys.platform` names it.

    It stays in our session. Linux shares the processor among sessions, and a process that works now and then
    in a session of its own may wait for seconds beside busy ones: its flag falls.
    """
    if platform == "win32":
        return {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0x200)}
    return {"process_group": 0}


OWN_GROUP = own_group(sys.platform)
