"""The proof that the images of a position are alike for the rules, as a game declares them."""

from collections.abc import Iterator

from plywise.check.finding import position_text
from plywise.core.game import Game
from plywise.core.outcome import OPEN
from plywise.core.rules import Position


def asymmetries(game: Game, position: Position) -> Iterator[str]:
    """What the images of a position do not have in common, in words; nothing if they are alike.

    The table has one entry for all images, so they must agree in everything that a search asks about.
    """
    count = game.symmetries
    if count == 1:
        return
    rules: tuple[str, ...] = ("turn", "outcome")
    is_open = position.outcome() == OPEN
    if is_open:
        rules += ("urgent", "midway", "can_skip") if game.moves(position) else ("stuck",)
    images = [position.symmetry(image) for image in range(count)]
    if images[0] != position:
        yield f"symmetry(0) is {position_text(game, images[0])}, not the position itself,"
    for number, image in enumerate(images):
        words = f"symmetry({number}), {position_text(game, image)},"
        for rule in rules:
            own, other = _answer(position, rule), _answer(image, rule)
            if own != other:
                yield f"{rule} is {own}, and of {words} {other}"
                return
        again = {image.symmetry(i) for i in range(count)}
        if again != set(images):
            yield f"{words} has other images than the position has,"
            return
        ways = _ways(game, position, number)
        if ways != _ways(game, image, 0):
            yield f"moves do not lead to images of where the moves of {words} lead"
            return
        if is_open and not position.midway():
            for name in game.evaluations:
                own, other = game.evaluate(position, name), game.evaluate(image, name)
                if own != other:
                    yield f"the evaluation {name!r} is {own}, and of {words} {other}"
                    return


def _answer(position: Position, rule: str) -> int:
    value = getattr(position, rule)
    return int(value() if callable(value) else value)


def _ways(game: Game, position: Position, image: int) -> list[tuple[Position, bool]]:
    """Where the moves lead, as images of this number, and whether they reset; in a fixed order."""
    ways = [
        (position.play(move).symmetry(image), bool(position.resets(move))) for move in game.moves(position)
    ]
    return sorted(ways, key=repr)
