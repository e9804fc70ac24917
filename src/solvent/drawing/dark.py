"""Repaint a picture for a dark ground: paper becomes dark, ink light, and every hue stays what it was.

Lightness is turned around in OKLab, where equal steps look equally far apart. Vivid paints, such as a yellow key, stay
as light as they are within what a dark ground bears: a dark yellow is no yellow any more.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import lru_cache

DARKEST, LIGHTEST = 0.21, 0.95
"""The lightness that paper and ink become: the page's own dark card and its light ink."""
INK_LIGHTNESS = 0.2
"""What is as dark as this becomes the lightest."""
PALE, VIVID = 0.06, 0.13
"""The chroma up to which a paint is turned around, and from which it is not."""
VIVID_LIGHTNESS = (0.5, 0.86)
_HEX = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b")
_HEX_OR_SYMBOL = re.compile(rf"<symbol\b.*?</symbol>|{_HEX.pattern}", re.DOTALL)


def to_dark(svg: str) -> str:
    """Return an SVG picture with each of its colours repainted.

    A bitmap or a `<symbol>` inside it stays as it is: that is a picture of something, such as a tile of grass.
    """
    return _HEX_OR_SYMBOL.sub(lambda found: dark_colour(found[0]) if found[0][0] == "#" else found[0], svg)


def dark_colours(pieces: Iterable[str]) -> dict[str, str]:
    """Return, for each colour in some SVG texts, what it becomes on a dark ground."""
    return {colour: dark_colour(colour) for piece in pieces for colour in dict.fromkeys(_HEX.findall(piece))}


@lru_cache(maxsize=4096)
def dark_colour(colour: str) -> str:
    """Return what a colour, `#rrggbb` or `#rgb`, becomes on a dark ground."""
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    red, green, blue = (_to_linear(int(digits[place : place + 2], 16) / 255) for place in (0, 2, 4))
    lightness, a, b = _to_oklab(red, green, blue)
    turned = min(LIGHTEST, DARKEST + (1 - lightness) * (LIGHTEST - DARKEST) / (1 - INK_LIGHTNESS))
    vividness = min(1.0, max(0.0, (math.hypot(a, b) - PALE) / (VIVID - PALE)))
    turned += vividness * (min(VIVID_LIGHTNESS[1], max(VIVID_LIGHTNESS[0], lightness)) - turned)
    strength = 1.0
    while True:  # a hue that the screen cannot show at this lightness gets paler until it can
        painted = _from_oklab(turned, a * strength, b * strength)
        if all(-1e-4 <= part <= 1 + 1e-4 for part in painted) or strength < 0.05:
            return "#" + "".join(f"{round(255 * _to_screen(part)):02x}" for part in painted)
        strength *= 0.9


def _to_linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _to_screen(part: float) -> float:
    part = min(1.0, max(0.0, part))
    return part * 12.92 if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055


def _to_oklab(red: float, green: float, blue: float) -> tuple[float, float, float]:
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def _from_oklab(lightness: float, a: float, b: float) -> tuple[float, float, float]:
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )
