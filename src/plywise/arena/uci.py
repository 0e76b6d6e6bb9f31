"""The client's side of UCI."""

from plywise.arena.outside import START, Outside, UnknownOption, is_usual, path
from plywise.arena.own import CERTAIN, Choice
from plywise.arena.program import Program
from plywise.core.history import History
from plywise.play.clock import Clock

NUMBERS = ("depth", "nodes")


class Uci(Outside):
    """An engine that speaks UCI."""

    protocol = "UCI"

    def greet(self, program: Program) -> None:
        options: dict[str, str] = {}

        def wanted(line: str) -> bool:
            words = line.split()
            if words[:2] == ["option", "name"] and "type" in words:
                name = " ".join(words[2 : words.index("type")])
                options[name.lower()] = name
            return line == "uciok"

        program.send("uci")
        self.expect(program, wanted, START, "uciok")
        for name, value in self.spec.own_options:
            if name.lower() not in options:
                raise UnknownOption(f"option of {program.name}", name, options.values())
            program.send(f"setoption name {options[name.lower()]} value {value}")
        self.style = "960" if ("uci_chess960", "true") in (
            (name.lower(), value.lower()) for name, value in self.spec.own_options
        ) else ""  # fmt: skip
        self.ready(program)

    def ready(self, program: Program) -> None:
        program.send("isready")
        self.expect(program, lambda line: line == "readyok", max(START, self.patience), "readyok")

    def new_game(self, program: Program, start: History) -> None:
        program.send("ucinewgame")
        self.ready(program)

    def think(self, program: Program, history: History, own: Clock | None, other: Clock | None) -> None:
        root, after = path(history)
        words = ["position", "startpos"] if is_usual(self.game, root) else ["position", "fen", root.text]
        if after:
            words.append("moves")
        before = root
        for node in after:
            assert node.move is not None
            words.append(self.game.styled(before.position, node.move, self.style))
            before = node
        go = ["go"]
        if own is not None:
            clocks = (own, other or own) if self.side == 0 else (other or own, own)
            for side, clock in zip("wb", clocks, strict=True):
                go += [
                    f"{side}time",
                    str(round(clock.left * 1000)),
                    f"{side}inc",
                    str(round(clock.increment * 1000)),
                ]
            if own.moves_to_go:
                go += ["movestogo", str(own.moves_to_go)]
        for name, value in (("depth", self.control.depth), ("nodes", self.control.nodes)):
            if value is not None:
                go += [name, str(value)]
        if self.control.time is not None:
            go += ["movetime", str(max(1, round(self.control.time * 1000)))]
        self.told: dict[str, int] = {}
        program.send(" ".join(words), " ".join(go))

    def heard(self, program: Program, line: str) -> Choice | None:
        words = line.split()
        if words[:1] == ["info"] and "string" not in words[:2]:
            self.note(words)
        if words[:1] != ["bestmove"]:
            return None
        move = words[1] if len(words) > 1 else "(none)"
        told = self.told
        return Choice(move, told.get("score"), told.get("depth", 0), told.get("nodes", 0))

    def note(self, words: list[str]) -> None:
        """What the engine says about its search; of several lines only the best counts."""
        if "multipv" in words[:-1] and words[words.index("multipv") + 1] != "1":
            return
        if "lowerbound" in words or "upperbound" in words:
            return  # the depth is not done yet
        for name in NUMBERS:
            if name in words[:-1]:
                self.take(name, words[words.index(name) + 1])
        if "score" in words[:-2]:
            at = words.index("score")
            if words[at + 1] == "cp":
                self.take("score", words[at + 2])
            elif words[at + 1] == "mate":
                self.told["score"] = -CERTAIN if words[at + 2].startswith("-") else CERTAIN

    def take(self, name: str, word: str) -> None:
        try:
            self.told[name] = int(word)
        except ValueError:
            pass  # rubbish in what is only for show

    def hurry(self, program: Program) -> None:
        program.send("stop")
