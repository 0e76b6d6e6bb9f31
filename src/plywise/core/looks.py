"""The looks that a board may have: the colours of its light and dark squares, by name."""

LOOKS = {
    "green": ("#ece6d3", "#82a398"),
    "brown": ("#f0d9b5", "#b58863"),
    "blue": ("#e3eaf2", "#86a3c3"),
    "grey": ("#ececec", "#a5a5a5"),
    "contrast": ("#ffffff", "#777777"),
}
