"""Players of skirmish by name: the agents of the course's outline, and the archers they were to beat."""

from plywise.core.preset import Preset
from plywise.games.skirmish.units import ARCHERS

PRESETS = (
    Preset(
        "distance",
        "sorted,evaluator=distance,plies=4",
        "The outline's agent with its first function: four plies, closer is better regardless of health.",
    ),
    Preset(
        "linear",
        "sorted,evaluator=linear,plies=4",
        "The outline's agent with its second function: four plies, distance and both sides' health.",
    ),
    Preset(
        "scripted",
        "",
        "The classic archers of the course: they shoot from afar and run from whoever comes close.",
        side=ARCHERS,
        switch="script",
    ),
)
