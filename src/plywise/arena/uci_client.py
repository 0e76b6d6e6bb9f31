"""The client side of UCI: we are the GUI, the engine is another program."""

from plywise.arena.builtin import DECISIVE, Choice
from plywise.arena.external import START_TIMEOUT, ExternalEngine, UnknownOption, game_path, is_standard_start
from plywise.arena.process import EngineProcess
from plywise.core.history import History
from plywise.core.untrusted import MAX_NUMBER, whole_number
from plywise.play.clock import Clock

NUMBERS = ("depth", "nodes")


class UciClient(ExternalEngine):
    """An engine that speaks UCI."""

    protocol = "UCI"

    def handshake(self, process: EngineProcess) -> None:
        options: dict[str, str] = {}

        def read_option(line: str) -> bool:
            words = line.split()
            if words[:2] == ["option", "name"] and "type" in words:
                name = " ".join(words[2 : words.index("type")])
                options[name.lower()] = name
            return line == "uciok"

        process.send("uci")
        self.expect(process, read_option, START_TIMEOUT, "uciok")
        for name, value in self.spec.own_options:
            if name.lower() not in options:
                raise UnknownOption(f"option of {process.name}", name, options.values())
            process.send(f"setoption name {options[name.lower()]} value {value}")
        self.style = "960" if ("uci_chess960", "true") in (
            (name.lower(), value.lower()) for name, value in self.spec.own_options
        ) else ""  # fmt: skip
        self.wait_until_ready(process)

    def wait_until_ready(self, process: EngineProcess) -> None:
        process.send("isready")
        self.expect(process, lambda line: line == "readyok", max(START_TIMEOUT, self.patience), "readyok")

    def new_game(self, process: EngineProcess, start: History) -> None:
        process.send("ucinewgame")
        self.wait_until_ready(process)

    def start_search(
        self, process: EngineProcess, history: History, own: Clock | None, other: Clock | None
    ) -> None:
        root, after = game_path(history)
        words = (
            ["position", "startpos"] if is_standard_start(self.game, root) else ["position", "fen", root.text]
        )
        if after:
            words.append("moves")
        before = root
        for node in after:
            assert node.move is not None
            words.append(self.game.move_text_in_style(before.position, node.move, self.style))
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
        self.last_info: dict[str, int] = {}
        process.send(" ".join(words), " ".join(go))

    def handle_line(self, process: EngineProcess, line: str) -> Choice | None:
        words = line.split()
        if words[:1] == ["info"] and "string" not in words[:2]:
            self.read_info(words)
        if words[:1] != ["bestmove"]:
            return None
        move = words[1] if len(words) > 1 else "(none)"
        info = self.last_info
        return Choice(move, info.get("score"), info.get("depth", 0), info.get("nodes", 0))

    def read_info(self, words: list[str]) -> None:
        """Read an info line; with several lines (multipv), only the best counts."""
        if "multipv" in words[:-1] and words[words.index("multipv") + 1] != "1":
            return
        if "lowerbound" in words or "upperbound" in words:
            return  # this depth is not finished
        for name in NUMBERS:
            if name in words[:-1]:
                self.set_info(name, words[words.index(name) + 1])
        if "score" in words[:-2]:
            at = words.index("score")
            if words[at + 1] == "cp":
                self.set_info("score", words[at + 2])
            elif words[at + 1] == "mate":
                self.last_info["score"] = -DECISIVE if words[at + 2].startswith("-") else DECISIVE

    def set_info(self, name: str, word: str) -> None:
        try:
            self.last_info[name] = whole_number(word, -MAX_NUMBER)
        except ValueError:
            pass  # bad statistics do not matter for the game

    def hurry(self, process: EngineProcess) -> None:
        process.send("stop")
