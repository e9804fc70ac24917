"""The compression of lz-string, LZW with a growing code width, which pages in JavaScript use for their addresses.

Written here because the packages that do this put no limit on what a short text unfolds to.
"""

from __future__ import annotations

from collections.abc import Iterator

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
"""Base 64, six bits a character, highest first; numbers stand in these bits lowest first."""
_BYTE, _WIDE, _END = 0, 1, 2
"""The codes before those of the dictionary: a character of 8 bits follows, one of 16 bits, or nothing more."""
_WIDTH_OF = {_BYTE: 8, _WIDE: 16}


def compress_to_base64(text: str) -> str:
    """Compress a text the way `LZString.compressToBase64` does."""
    bits: list[int] = []
    codes: dict[str, int] = {}
    unwritten: set[str] = set()
    width, room, phrase = 2, 2, ""

    def write(number: int, count: int) -> None:
        bits.extend(number >> shift & 1 for shift in range(count))

    def finish(phrase: str) -> None:
        """Write the code of a phrase; a character that is new is written out and counts as an entry."""
        nonlocal width, room
        if phrase in unwritten:
            unwritten.discard(phrase)
            wide = ord(phrase) > 0xFF
            write(_WIDE if wide else _BYTE, width)
            write(ord(phrase), _WIDTH_OF[_WIDE if wide else _BYTE])
            room -= 1
            if room == 0:
                room, width = 1 << width, width + 1
        else:
            write(codes[phrase], width)
        room -= 1
        if room == 0:
            room, width = 1 << width, width + 1

    for unit in _units(text):
        if unit not in codes:
            codes[unit] = len(codes) + 3
            unwritten.add(unit)
        if phrase + unit in codes:
            phrase += unit
            continue
        finish(phrase)
        codes[phrase + unit] = len(codes) + 3
        phrase = unit
    if phrase:
        finish(phrase)
    write(_END, width)
    bits += [0] * (6 - len(bits) % 6)  # at least one, as the original has it
    letters = "".join(ALPHABET[int("".join(map(str, bits[start : start + 6])), 2)] for start in range(0, len(bits), 6))
    return letters + "=" * (-len(letters) % 4)


def decompress_from_base64(packed: str, *, most: int) -> str:
    """Unpack a text of at most so many characters; raises ValueError if it is damaged or unfolds to more."""
    bits = _bits(packed)

    def read(count: int) -> int:
        number = 0
        for shift in range(count):
            bit = next(bits, None)
            if bit is None:
                raise ValueError("it ends early")
            number |= bit << shift
        return number

    entries: list[str] = ["", "", ""]
    pieces: list[str] = []
    length, width, room, last = 0, 2, 2, ""
    while True:
        code = read(width)
        if code == _END:
            break
        if code in _WIDTH_OF:
            entry = chr(read(_WIDTH_OF[code]))
            entries.append(entry)
            room -= 1
            if room == 0:
                room, width = 1 << width, width + 1
        elif code < len(entries):
            entry = entries[code]
        elif code == len(entries) and last:
            entry = last + last[0]
        else:
            raise ValueError("it names an entry that is not there")
        pieces.append(entry)
        length += len(entry)
        if length > most:
            raise ValueError(f"it unfolds to more than {most:,} characters")
        if last:
            entries.append(last + entry[0])
        room -= 1
        if room == 0:
            room, width = 1 << width, width + 1
        last = entry
    return "".join(pieces).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _units(text: str) -> Iterator[str]:
    """Yield the units of 16 bits that a text has in JavaScript."""
    data = text.encode("utf-16-le", "surrogatepass")
    for start in range(0, len(data), 2):
        yield chr(int.from_bytes(data[start : start + 2], "little"))


def _bits(packed: str) -> Iterator[int]:
    for letter in packed.rstrip("="):
        value = ALPHABET.find(letter)
        if value < 0:
            raise ValueError(f"{letter!r} is no character of base 64")
        for shift in range(5, -1, -1):
            yield value >> shift & 1
