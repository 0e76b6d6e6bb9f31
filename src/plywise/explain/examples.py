"""Ready examples: positions of each shipped game on which one technique of the search can be seen.

A technique has one name, as in legend, counters and switches, and a sentence that says what to look for.
The positions were chosen among those of random games for small trees with much of the technique in them.
"""

from dataclasses import dataclass

# Technique: (the causes and ways of nodes that show it, what to look for).
TECHNIQUES: dict[str, tuple[tuple[str, ...], str]] = {
    "cut-off": (("cut",), "one good answer is enough: the moves after it are cut off (striped bars)"),
    "hash table": (
        ("table",),
        "the same position comes again by other moves, and is found in the hash table",
    ),
    "null move": (("null move",), "a side that is well off even after a pass is not searched further"),
    "reduction": (("reduced",), "moves that come late in the order are searched less deep"),
    "stand pat": (("standing",), "a side that is already good enough looks at no move"),
    "quiescence": (("noisy",), "beyond the depth only noisy moves are followed, until all is quiet"),
    "search again": (
        ("again",),
        "a first, cheap look was better than expected, so the move is searched again",
    ),
    "evaluation": (("leaf",), "where the depth is used up, the position is evaluated"),
    "game over": (("over",), "lines that end the game have a sure value, and a win is proven"),
}


@dataclass(frozen=True, slots=True)
class Example:
    """A position, and the depth at which its tree shows a technique."""

    technique: str
    position: str
    depth: int

    @property
    def about(self) -> str:
        """What to look for in the tree."""
        return TECHNIQUES[self.technique][1]


EXAMPLES: dict[str, tuple[Example, ...]] = {
    "chess": (
        Example("cut-off", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", 3),
        Example("hash table", "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", 6),
        Example("null move", "rnbqk2r/ppppnppp/3bp3/8/7P/2P1P3/PP1P1PP1/RNBQKBNR w KQkq - 1 4", 4),
        Example("stand pat", "rn2k1nr/ppqb1pp1/2p1p2p/2bp4/2B1N3/3PP3/PPP2PPP/RNBQ1RK1 w kq - 2 8", 4),
        Example("quiescence", "r2q1rk1/pp2ppbp/2np1np1/2p5/2P1P1b1/2NPBN2/PP2BPPP/R2Q1RK1 w - - 0 10", 2),
    ),
    "checkers": (
        Example("cut-off", "B:W10,11,21,27,28,32:B1,2,4,5,13", 5),
        Example("hash table", "B:W13,16,18,21,26,32:B5,6,7,19,28", 5),
        Example("reduction", "B:W21,22,26,27,28,32:B2,3,4,5,6,16,19", 5),
        Example("stand pat", "B:W15,17:B1,6,12,13,14,18", 5),
        Example("search again", "W:W23,25,29:B7,9,12,16", 5),
    ),
    "connect_four": (
        Example("cut-off", "652334554545527346636", 6),
        Example("hash table", "544434", 6),
        Example("reduction", "42675", 6),
        Example("stand pat", "4541", 6),
        Example("game over", "54434433523513441", 4),
    ),
    "polis": (
        Example("cut-off", "3ddddc/1d2dddd/dd1d4/1ddd4/2D5/1D1D4/1DD2DDD/CDDDDDDD r", 2),
        Example("hash table", "1ddd1dd1/3dd3/6dd/5d2/C1D4d/Dd2D3/1D2DDDc/4DDD1 b", 2),
        Example("stand pat", "ddd3d1/ddd5/3dd3/1c5d/DDd2d2/2dC2DD/DD3DDD/DD1DD3 r", 2),
        Example("quiescence", "4dd1c/1d3ddd/dd6/1dD1D1C1/d2D4/1D1d4/2D1D2D/1DD2DDD r", 2),
        Example("search again", "dddddddc/dddddddd/8/8/D1D5/1D6/3DDDDD/CDDDDDDD r", 2),
    ),
    "skirmish": (
        Example("cut-off", "25x19 F4,7:142 F15,7:136 A4,14:50 A18,14:50 F1", 2),
        Example("hash table", "25x19 F4,6:154 F18,7:142 A4,17:50 A18,14:50 F1", 2),
        Example("stand pat", "25x19 F5,7:154 F15,6:148 A6,16:50 A23,11:50 A1", 2),
        Example("search again", "25x19 F5,6:142 F16,10:142 A4,14:50 A18,12:50 A2", 2),
        Example("evaluation", "25x19 F8,6:154 F18,6:148 A6,14:50 A18,14:50 F2", 2),
    ),
    "tic_tac_toe": (
        Example("cut-off", "..o.x.... x", 4),
        Example("hash table", "..x.x.o.. o", 5),
        Example("reduction", "........x o", 5),
        Example("stand pat", "..x...... o", 5),
        Example("game over", "x..o.xo.. x", 5),
    ),
}


def examples(game: str) -> tuple[Example, ...]:
    """The examples of a game by its name; none for a game of one's own."""
    return EXAMPLES.get(game, ())
