"""Titles and categories that nobody has used: invented words, on shelves of ordinary things."""

_SHELVES = (
    *("kites", "lanterns", "maps", "teapots", "clocks", "boots", "flutes", "puzzles", "tents", "lamps", "globes"),
    *("quilts", "prints", "bells", "paints", "masks", "seeds", "knives", "candles", "hats", "toys", "chairs"),
)
_ONSETS = ("b", "br", "d", "dr", "f", "g", "gr", "h", "k", "l", "m", "n", "p", "pl", "r", "s", "st", "t", "v", "z")
_VOWELS = "aeiou"
_SYLLABLES = len(_ONSETS) * len(_VOWELS)
_STRIDE = 618_033  # prime to 100, so that numbers and names correspond one to one; neighbours sound unlike


def shelf_name(number: int) -> str:
    """What a shelf is called."""
    return _SHELVES[number] if number < len(_SHELVES) else f"shelf-{number + 1}"


def invented(number: int, most: int) -> str:
    """A word of its own for each of `most` numbers in a row."""
    length = 3
    while _SYLLABLES**length < most:
        length += 1
    rest = number * _STRIDE % _SYLLABLES**length
    word = ""
    for _ in range(length):
        rest, syllable = divmod(rest, _SYLLABLES)
        word += _ONSETS[syllable // len(_VOWELS)] + _VOWELS[syllable % len(_VOWELS)]
    return word.capitalize()
