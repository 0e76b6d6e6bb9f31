"""What a game offers to choose from: its evaluations and its players, each with a sentence."""

from collections.abc import Mapping

from plywise.cli import console
from plywise.core.game import LEARNED, Game
from plywise.core.registry import load


def print_games(descriptions: Mapping[str, str]) -> None:
    """The games by name, each with its sentence, its evaluations and its players."""
    width = max(map(len, descriptions))
    hanging = " " * (width + 2)
    for name, description in descriptions.items():
        print(console.paragraph(description, f"{name:{width}}  ", hanging))
        for words, names in choices(load(name)).items():
            if names:
                print(console.paragraph(f"{words}: {', '.join(names)}", hanging, f"{hanging}  "))


def choices(game: Game) -> dict[str, dict[str, str]]:
    """The evaluations and the players of a game: a sentence by each name."""
    return {
        "evaluations": {name: evaluation_text(game, name) for name in game.evaluators},
        "players": {preset.name: preset.about for preset in game.presets.values()},
    }


def evaluation_text(game: Game, name: str) -> str:
    """The first sentence that its author wrote about an evaluation."""
    if name == LEARNED and name not in game.evaluations:
        return "What the game has learned by playing itself: `plywise learn`."
    if name == "default" and not game.has_evaluation:
        return "Mobility where the sides have moves of their own, else the outcome alone."
    function = game.evaluation(name).function
    if function is None and game.has_evaluation:
        function = game.author.evaluate  # type: ignore[attr-defined]
    words = (getattr(function, "__doc__", None) or "").strip().split("\n\n")[0]
    return " ".join(words.split()) or "No opinion: every position that is not over is even."


def rules_text(game: Game) -> str:
    """The rules in words, then what there is to choose from."""
    parts = [game.rules().rstrip()]
    for title, names in choices(game).items():
        if names:
            lines = [f"- `{name}`: {sentence}" for name, sentence in names.items()]
            parts.append("\n".join([f"## {title.capitalize()}", "", *lines]))
    return "\n\n".join(parts)
