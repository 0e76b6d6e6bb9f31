"""What `check` reports."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """A rule of the contract that a game breaks, and where. Advice is no failure."""

    rule: str
    message: str
    advice: bool = False

    def __str__(self) -> str:
        return f"{self.rule}: {self.message}"
