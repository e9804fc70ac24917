"""Write pages of lines, polygons and words as a PDF: enough for printed puzzles, and the same bytes every time.

Written here because packages that do this bring pictures and fonts along, and note when a file was made. Lengths are in
points, 72 to an inch, from the upper left corner of the page. Words are in Helvetica, which every reader has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

PAPERS: Mapping[str, tuple[float, float]] = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}
"""Width and height of a page."""

Place = tuple[float, float]


class Page:
    """Gather what stands on one page."""

    def __init__(self, paper: str) -> None:
        self.width, self.height = PAPERS[paper]
        self._drawn: list[str] = []

    def lines(self, lines: Sequence[tuple[Place, Place]], *, thick: float, grey: float = 0.0) -> None:
        """Draw lines with round ends; grey goes from 0, black, to 1, white."""
        drawn = [f"{self._at(start)} m {self._at(end)} l" for start, end in lines]
        if drawn:
            self._drawn.append(f"{_number(grey)} G {_number(thick)} w 1 J {' '.join(drawn)} S")

    def polygon(self, corners: Sequence[Place], *, grey: float = 0.0) -> None:
        """Fill a polygon."""
        first, *others = (self._at(corner) for corner in corners)
        self._drawn.append(f"{_number(grey)} g {first} m {' '.join(f'{corner} l' for corner in others)} h f")

    def text(self, place: Place, text: str, *, size: float, bold: bool = False) -> None:
        """Write words from a place on, at the foot of their letters."""
        font = "F2" if bold else "F1"
        self._drawn.append(f"BT 0 g /{font} {_number(size)} Tf {self._at(place)} Td <{_letters(text)}> Tj ET")

    def content(self) -> bytes:
        """Return what stands on the page, as its PDF has it."""
        return "\n".join(self._drawn).encode("ascii")

    def _at(self, place: Place) -> str:
        return f"{_number(place[0])} {_number(self.height - place[1])}"


def write_pdf(pages: Sequence[Page], *, title: str) -> bytes:
    """Return the file with these pages."""
    kids = " ".join(f"{5 + 2 * index} 0 R" for index in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        _font("Helvetica"),
        _font("Helvetica-Bold"),
    ]
    for index, page in enumerate(pages):
        box = f"0 0 {_number(page.width)} {_number(page.height)}"
        fonts = "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >>"
        where = f"/Parent 2 0 R /MediaBox [{box}] {fonts} /Contents {6 + 2 * index} 0 R"
        objects.append(f"<< /Type /Page {where} >>".encode())
        content = page.content()
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    objects.append(f"<< /Title <{_letters(title)}> /Producer (Solvent) >>".encode())
    file = bytearray(b"%PDF-1.4\n")
    starts = []
    for number, body in enumerate(objects, start=1):
        starts.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(file)
    file += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    file += b"".join(b"%010d 00000 n \n" % start for start in starts)
    file += b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\n" % (len(objects) + 1, len(objects))
    file += b"startxref\n%d\n%%%%EOF\n" % table
    return bytes(file)


def _font(name: str) -> bytes:
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>".encode()


def _letters(text: str) -> str:
    """Return words in the encoding of the fonts, as hexadecimal numbers."""
    return text.encode("cp1252", "replace").hex()


def _number(value: float) -> str:
    """Write a number with two places at most, the same on every machine."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
